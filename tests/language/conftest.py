"""A world to walk through in two languages."""

from tests.reliability.conftest import world

__all__ = ["world"]
