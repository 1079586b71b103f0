"""The place of a PostgreSQL database: its name on the server."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import psycopg
from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection
from psycopg.sql import SQL, Identifier, Literal

from blockyou.install.dumps import load_dump

#: The longest name that PostgreSQL takes is 63 bytes.
NAME_LENGTH = 35


class PostgresqlPlace:
    """The name of the database, and that of another one on the same server, in which a copy is tried out."""

    def __init__(self, stamp: str) -> None:
        self.database = str(connection.settings_dict["NAME"])
        self._staged = f"{self.database[:NAME_LENGTH]}_restoring_{stamp}"
        self._kept = f"{self.database[:NAME_LENGTH]}_replaced_{stamp}"

    def refuse_if_in_use(self) -> None:
        """Raise CommandError while anything else is connected to the database."""
        _close_all()
        with self._server() as server:
            found = server.execute(
                "SELECT count(*), min(coalesce(host(client_addr), 'this machine')) FROM pg_stat_activity"
                " WHERE datname = %s AND backend_type = 'client backend'",
                [self.database],
            ).fetchone()
        count, where = found or (0, "")
        if count:
            raise CommandError(
                f"The site is running: {count} connections to {self.database} are open, from {where} among others. "
                "Stop every process on every host first."
            )

    @contextmanager
    def staged(self, copy: Path) -> Iterator[str]:
        """Load the dump into a new database; yield its address. At the end it goes, unless it took the place."""
        _close_all()
        with self._server() as server:
            _create(server, self._staged, like=self.database)
        try:
            load_dump(connection, copy, self._staged)
            # A dump has no statistics, without which the planner guesses.
            with self._server(self._staged) as fresh:
                fresh.execute("ANALYZE")
            yield urlsplit(settings.DATABASE_URL)._replace(path=f"/{quote(self._staged)}").geturl()
        finally:
            with self._server() as server:
                server.execute(SQL("DROP DATABASE IF EXISTS {}").format(Identifier(self._staged)))

    def migrations(self) -> set[tuple[str, str]]:
        """Return the migrations of the staged copy."""
        with self._server(self._staged) as staged:
            if staged.execute("SELECT to_regclass('django_migrations') IS NOT NULL").fetchone() != (True,):
                return set()
            return {(str(app), str(name)) for app, name in staged.execute("SELECT app, name FROM django_migrations")}

    def swap(self) -> str:
        """Give the staged database the name; return the new name of the one that had it, if there was one."""
        try:
            with self._server() as server, server.transaction():
                was_there = _exists(server, self.database)
                if was_there:
                    _rename(server, self.database, self._kept)
                _rename(server, self._staged, self.database)
        except psycopg.errors.ObjectInUse as error:
            raise CommandError(f"The site has been started meanwhile: {error}") from error
        return self._kept if was_there else ""

    @contextmanager
    def _server(self, name: str = "postgres") -> Iterator["psycopg.Connection[Any]"]:
        """Yield a connection outside transactions, to another database than ours, which can be renamed then."""
        parameters = {**connection.get_connection_params(), "dbname": name}
        try:
            with psycopg.connect(**parameters, autocommit=True) as server:
                yield server
        except psycopg.OperationalError as error:
            raise CommandError(f"PostgreSQL cannot be asked for the database {name}: {error}") from error


def _create(server: "psycopg.Connection[Any]", name: str, *, like: str) -> None:
    """Create an empty database with the encoding and the order of another one, where that is there.

    Raises: CommandError where the role may not.
    """
    order = server.execute(
        "SELECT pg_encoding_to_char(encoding), datcollate, datctype FROM pg_database WHERE datname = %s", [like]
    ).fetchone()
    statement = SQL("CREATE DATABASE {} TEMPLATE template0").format(Identifier(name))
    if order:
        statement += SQL(" ENCODING {} LC_COLLATE {} LC_CTYPE {}").format(*map(Literal, order))
    try:
        server.execute(statement)
    except psycopg.errors.InsufficientPrivilege as error:
        raise CommandError(
            "A copy is restored into a new database first, and this role may not make one. As PostgreSQL's superuser: "
            f'ALTER ROLE "{server.info.user}" CREATEDB;'
        ) from error


def _exists(server: "psycopg.Connection[Any]", name: str) -> bool:
    return server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone() is not None


def _rename(server: "psycopg.Connection[Any]", name: str, new: str) -> None:
    server.execute(SQL("ALTER DATABASE {} RENAME TO {}").format(Identifier(name), Identifier(new)))


def _close_all() -> None:
    """Close this process's own connections to the database, the pool's too."""
    connection.close()
    if getattr(connection, "pool", None):
        connection.close_pool()  # type: ignore[attr-defined]
