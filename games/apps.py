"""The Django app of play."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Play: tables, moves, live pages, bots."""

    name = "games"

    def ready(self) -> None:
        """Say which bots may be seated, and connect subscribers to events."""
        from games import setup, wiring
        from games.bots import registry

        setup.offer_bots(registry.engine_names())
        wiring.connect()
