"""The Django app of play."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Play: tables, moves, live pages, bots."""

    name = "games"

    def ready(self) -> None:
        """Connect subscribers to events, and refuse to start with a bot that has no engine."""
        from games import wiring
        from games.roster.offered import offered_bots

        offered_bots()
        wiring.connect()
