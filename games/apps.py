"""The Django app of play."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Play: tables, moves, live pages, bots."""

    name = "games"

    def ready(self) -> None:
        """Connect subscribers to events, keep bots' names, and refuse to start with a bot that has no engine."""
        from accounts import names
        from games import wiring
        from games.forms.kept_names import names_of_bots
        from games.roster.offered import offered_bots

        offered_bots()
        names.keep(names_of_bots)
        wiring.connect()
