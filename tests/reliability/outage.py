"""What tests take away from the site: the database after so many statements, and a Redis that never answers."""

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.apps import apps
from django.db import OperationalError, connection


class NoServerError(Exception):
    """What the database's library says where nobody answers: an error without a code of the server's."""

    sqlstate = None


@contextmanager
def away_after(statements: int) -> Iterator[list[str]]:
    """Let so many statements be answered, and none after them; yield what was asked in vain."""
    asked, refused = [0], list[str]()

    def fail(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        asked[0] += 1
        if asked[0] > statements:
            refused.append(sql)
            raise OperationalError("the server closed the connection unexpectedly") from NoServerError
        return execute(sql, *rest)

    with connection.execute_wrapper(fail):
        yield refused


def all_rows() -> dict[str, list[Any]]:
    """Return every row that is stored, by table."""
    return {
        model._meta.label: [*model._base_manager.order_by("pk").values()]
        for model in apps.get_models()
        if model._meta.managed
    }


@contextmanager
def silence() -> Iterator[str]:
    """Yield the address of a server that lets everyone in and says nothing, as a Redis that hangs."""
    with socket.create_server(("127.0.0.1", 0), backlog=1000) as server:
        yield f"redis://127.0.0.1:{server.getsockname()[1]}"
