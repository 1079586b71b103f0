"""A connection to the database that belongs to no pool: for what is answered while all of the pool's are in use."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper


@contextmanager
def own_connection() -> Iterator[BaseDatabaseWrapper]:
    """Give this thread a database connection of its own, which is opened when it is first needed.

    Where the server does not answer it is given up after its `connect_timeout`, once: several questions in succession
    do not wait for it one after the other.
    """
    usual = connections["default"]
    own: Any = usual.copy()
    options = {name: value for name, value in own.settings_dict["OPTIONS"].items() if name != "pool"}
    own.settings_dict = {**own.settings_dict, "OPTIONS": options}
    own.get_new_connection = _once(own.get_new_connection, own.Database.Error)
    connections["default"] = own
    try:
        yield own
    finally:
        connections["default"] = usual
        own.close()


def _once(connect: Callable[[Any], Any], failure: type[Exception]) -> Callable[[Any], Any]:
    """Return the function, which fails at once where it has failed before."""
    failed: list[Exception] = []

    def attempt(parameters: Any) -> Any:
        if failed:
            raise failed[0]
        try:
            return connect(parameters)
        except failure as error:
            failed.append(error)
            raise

    return attempt
