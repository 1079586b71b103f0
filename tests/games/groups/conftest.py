"""What the tests of groups ask for."""

from tests.games.notifications.conftest import service

__all__ = ["service"]
