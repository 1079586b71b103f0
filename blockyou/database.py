"""What the database must promise before a move is acknowledged: checked on the first connection of every process."""

from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

SQLITE_WANTED = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
SQLITE_LEAST_TIMEOUT_MS = 20_000
POSTGRESQL_WANTED = {"fsync": ("on",), "synchronous_commit": ("on", "remote_apply")}


def check_connection(*, connection: BaseDatabaseWrapper, **kwargs: Any) -> None:
    """Refuse a database that may lose an acknowledged move; hears `connection_created`, once a process.

    Raises: ImproperlyConfigured.
    """
    problems = weaknesses(connection)
    if problems:
        connection.close()
        raise ImproperlyConfigured(
            f"The database may lose moves: {'; '.join(problems)}. docs/operations.md says how to set it."
        )
    connection_created.disconnect(check_connection, dispatch_uid="blockyou.database")


def weaknesses(connection: BaseDatabaseWrapper) -> list[str]:
    """Return what is weaker than wanted, in words; costs five statements on SQLite and two on PostgreSQL."""
    if connection.vendor == "sqlite":
        return _sqlite(connection)
    if connection.vendor == "postgresql":
        return _postgresql(connection)
    return [f"{connection.vendor} is not supported"]


def _sqlite(connection: BaseDatabaseWrapper) -> list[str]:
    found = {name: _ask(connection, f"PRAGMA {name}") for name in SQLITE_WANTED}
    problems = [
        f"{name} is {found[name]}, not {wanted}" for name, wanted in SQLITE_WANTED.items() if found[name] != wanted
    ]
    timeout = _ask(connection, "PRAGMA busy_timeout")
    if timeout < SQLITE_LEAST_TIMEOUT_MS:
        problems.append(f"busy_timeout is {timeout} ms, less than {SQLITE_LEAST_TIMEOUT_MS}")
    mode = getattr(connection, "transaction_mode", None)
    if mode != "IMMEDIATE":
        problems.append(f"transactions are {mode or 'DEFERRED'}, not IMMEDIATE")
    return problems


def _postgresql(connection: BaseDatabaseWrapper) -> list[str]:
    found = {name: _ask(connection, f"SHOW {name}") for name in POSTGRESQL_WANTED}
    return [
        f"{name} is {found[name]}, not {wanted[0]}"
        for name, wanted in POSTGRESQL_WANTED.items()
        if found[name] not in wanted
    ]


def _ask(connection: BaseDatabaseWrapper, question: str) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(question)
        (answer,) = cursor.fetchone()
    return answer
