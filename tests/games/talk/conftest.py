"""What the tests of talk ask for."""

from tests.games.views.conftest import query_count

__all__ = ["query_count"]
