"""The one table of who hears which event."""


def connect() -> None:
    """Subscribe every listener; called once when the app is ready, harmless if called again."""
