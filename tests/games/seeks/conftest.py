"""What the tests of standing seeks ask for."""

from tests.games.api.conftest import program

__all__ = ["program"]
