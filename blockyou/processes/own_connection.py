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
    do not wait for it one after the other. Where the server has no connection left it is one of the pool, by which
    pages go on, if one is free soon.
    """
    usual: Any = connections["default"]
    own: Any = usual.copy()
    options = {name: value for name, value in own.settings_dict["OPTIONS"].items() if name != "pool"}
    own.settings_dict = {**own.settings_dict, "OPTIONS": options}
    connect, lent = own.get_new_connection, list[Any]()
    if hasattr(usual, "lend_when_full"):
        connect = _or_lent(connect, usual.lend_when_full, lent, own.Database.Error)
    own.get_new_connection = _once(connect, own.Database.Error)
    connections["default"] = own
    try:
        yield own
    finally:
        connections["default"] = usual
        if own.connection in lent:
            # It is the pool's to close.
            own.connection = None
        own.close()
        for each in lent:
            usual.pool.putconn(each)


def _or_lent(
    connect: Callable[[Any], Any], lend: Callable[[Exception], Any], lent: list[Any], failure: type[Exception]
) -> Callable[[Any], Any]:
    """Return the function; where it fails for want of connections it returns one that is lent, and notes it."""

    def attempt(parameters: Any) -> Any:
        try:
            return connect(parameters)
        except failure as error:
            lent.append(lend(error))
            return lent[-1]

    return attempt


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
