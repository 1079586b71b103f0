"""A server that says nothing at all: after a moment without an answer to a statement it is asked whether it is there.

Its host has lost its power, a network drops all that is sent, or it hangs with its connections open. Nothing tells that
from a statement that takes long, but another connection: a server that is there answers that one soon. Where it does
not, the statement is given up with its connection, and the server counts as away (`blockyou.postgresql.outage`).
"""

import time
from collections.abc import Callable, Generator
from typing import Any

import psycopg

from blockyou.postgresql.outage import ANSWER_SECONDS, Absence, ServerAway, failure_of

#: Seconds without an answer until the server is asked, each time twice as many as before.
SILENT_SECONDS = 0.5


class WatchedConnection(psycopg.Connection[Any]):
    """A connection whose statements are given up where the server answers nobody else either."""

    def __init__(self, *parameters: Any, **options: Any) -> None:
        super().__init__(*parameters, **options)
        self.made_at = time.monotonic()

    def wait(self, gen: Any, *arguments: Any, **options: Any) -> Any:
        """Wait for the end of a statement, as psycopg does.

        Raises: ServerAway.
        """
        return super().wait(watched(gen, self.check_server), *arguments, **options)

    def check_server(self) -> None:
        """End this connection where its server does not answer another one.

        Raises: ServerAway.
        """
        failure = failure_of(self.ask_elsewhere, ANSWER_SECONDS)
        if failure is None or has_spoken(failure):
            return
        Absence.begin(failure, is_silent=True)
        self.close()
        raise ServerAway("The server does not answer any more.") from failure

    def ask_elsewhere(self) -> psycopg.Connection[Any]:
        """Return a new connection to the very server of this one, over which it has answered a statement.

        A pooler takes connections by itself; it does not answer what its server does not.

        Raises: psycopg.Error.
        """
        info = self.info
        named = {name: value for name, value in info.get_parameters().items() if name != "target_session_attrs"}
        there = {"host": info.host, "hostaddr": info.hostaddr, "port": info.port, "password": info.password}
        asked: Any = named | {name: value for name, value in there.items() if value}
        connection = _ImpatientConnection.connect(**asked, autocommit=True)
        try:
            connection.execute("SELECT 1")
        except psycopg.Error:
            connection.close()
            raise
        return connection


class _ImpatientConnection(psycopg.Connection[Any]):
    """A connection by which a server is asked whether it is there: no answer takes longer than it is waited for."""

    def wait(self, gen: Any, *arguments: Any, **options: Any) -> Any:
        return super().wait(gen, *arguments, **{**options, "timeout": ANSWER_SECONDS})


def watched(steps: Generator[Any, Any, Any], check: Callable[[], None]) -> Generator[Any, Any, Any]:
    """Return the same steps of waiting for the server; `check` is called each time it has said nothing for long."""
    seconds, heard_at = SILENT_SECONDS, time.monotonic()
    try:
        wanted = next(steps)
        while True:
            ready = yield wanted
            now = time.monotonic()
            if ready:
                heard_at = now
            elif now - heard_at >= seconds:
                check()
                seconds, heard_at = 2 * seconds, time.monotonic()
            wanted = steps.send(ready)
    except StopIteration as end:
        return end.value


def has_spoken(error: BaseException) -> bool:
    """Return whether a server has refused a connection in its own words: it is there."""
    return getattr(error, "sqlstate", None) is not None or "FATAL" in str(error)
