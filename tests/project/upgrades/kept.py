"""A database of before, kept as SQLite's `.dump` tells it, on either kind of database."""

import contextlib
import sqlite3
from pathlib import Path
from typing import Any

from tests.browser.site import Site
from tests.project.backups.installation import connected, is_postgresql

#: The tables that are ours; others of the frameworks are made anew.
OURS = ("accounts_", "games_")

#: SQLite keeps moments in UTC without saying so.
CAST = {"timestamp with time zone": "%s::timestamp AT TIME ZONE 'UTC'"}


def opened(path: Path) -> sqlite3.Connection:
    """Return a connection to the database in a file, held in memory."""
    database = sqlite3.connect(":memory:")
    database.executescript(path.read_text("utf-8"))
    return database


def own_tables(path: Path) -> list[str]:
    """Return the names of our tables in the database."""
    with contextlib.closing(opened(path)) as database:
        names = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    return [name for (name,) in names if name.startswith(OURS)]


def load(site: Site, path: Path) -> None:
    """Bring what is kept into the site's database: an empty one of SQLite, one of PostgreSQL with the tables of then.

    SQLite gets the tables as they were made; on PostgreSQL the migrations of then make them, and this fills ours.
    """
    with contextlib.closing(connected(site.environment["DATABASE_URL"])) as connection:
        if not is_postgresql(site):
            connection.executescript(path.read_text("utf-8"))
            return
        with contextlib.closing(opened(path)) as kept:
            # Keys are checked at the end of the transaction, so the order of the tables does not matter.
            for table in own_tables(path):
                _fill(connection, table, kept)
        connection.commit()


def _fill(connection: Any, table: str, kept: sqlite3.Connection) -> None:
    found = kept.execute(f'SELECT * FROM "{table}"')
    names = [column[0] for column in found.description]
    statement = "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = %s"
    types = dict(connection.execute(statement, [table]).fetchall())
    kinds = [CAST.get(types[name], f"%s::{types[name]}") for name in names]
    columns = ", ".join(f'"{name}"' for name in names)
    for row in found.fetchall():
        values = [None if value is None else str(value) for value in row]
        connection.execute(f'INSERT INTO "{table}" ({columns}) VALUES ({", ".join(kinds)})', values)
    if "id" in names:
        numbers = f"SELECT setval(pg_get_serial_sequence(%s, 'id'), (SELECT max(id) FROM \"{table}\") + 1)"
        connection.execute(numbers, [table])
