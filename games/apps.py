"""The Django app of play."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Play: tables, moves, live pages, bots."""

    name = "games"

    def ready(self) -> None:
        """Connect subscribers to events and check the database's settings."""
        from games import wiring

        wiring.connect()
