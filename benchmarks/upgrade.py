"""A large database goes back to the tables of the first release and forward again: `python -m benchmarks.upgrade`.

    python -m benchmarks.upgrade --games 107000                                  # a million moves, on SQLite
    python -m benchmarks.upgrade --database postgres://superuser@127.0.0.1/any    # beside this database

A new database is filled (`benchmarks.growth.fill`). All migrations since the squashed ones are taken back and brought
again, each by `manage.py migrate`, while twenty times a second a game's row is written, as a move does. It is said how
long each way took, how long a write waited at most, how many waited longer than a second, and whether every row is as
before, of the tables and columns that both ends have. Exit status 1 where one is not.
"""

import argparse
import contextlib
import hashlib
import os
import secrets
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
#: The tables of the first release, which one migration of each app makes.
FIRST = {"accounts": "0001_squashed_0018_chat_by_tables", "games": "0001_squashed_0044_fill_review_done"}
#: What follows from games, and is counted again on the way.
WORKED_OUT = ("games_headtohead",)
WRITE_EVERY = 0.05
#: Seconds after which a write is given up; SQLite gives its lock to nobody while a table is rebuilt.
WRITE_PATIENCE = 600.0
#: A write that takes longer is one that somebody notices.
LONGEST_WRITE = 1.0

Columns = dict[str, list[str]]


@dataclass
class Writes:
    """Writes of a game's row, one after the other: how long each took, and what went wrong."""

    address: str
    taken: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    @contextlib.contextmanager
    def going_on(self) -> Iterator[None]:
        """Write until the block ends."""
        self.taken.clear()
        is_over = threading.Event()
        thread = threading.Thread(target=self._run, args=[is_over])
        thread.start()
        try:
            yield
        finally:
            is_over.set()
            thread.join()

    def _run(self, is_over: threading.Event) -> None:
        with contextlib.closing(connected(self.address)) as connection:
            while not is_over.wait(WRITE_EVERY):
                began = time.perf_counter()
                try:
                    connection.execute("UPDATE games_game SET version = version WHERE id = 1")
                except Exception as error:  # noqa: BLE001  # whatever it is, it is told
                    self.errors.append(f"{type(error).__name__}: {error}")
                self.taken.append(time.perf_counter() - began)

    def figures(self) -> str:
        """Return in words how long they took and how many failed."""
        slow = sum(seconds > LONGEST_WRITE for seconds in self.taken)
        longest = f"the longest {max(self.taken, default=0):.2f} s, {slow} over {LONGEST_WRITE:g} s"
        return f"{len(self.taken)} writes meanwhile, {longest}, {len(self.errors)} failed"


def connected(address: str) -> Any:
    """Return a connection to the database at an address as in DATABASE_URL, on which each statement is committed."""
    if address.startswith("postgres"):
        import psycopg

        return psycopg.connect(address, autocommit=True)
    import sqlite3

    return sqlite3.connect(address.removeprefix("sqlite:///"), timeout=WRITE_PATIENCE, isolation_level=None)


@contextlib.contextmanager
def database(server: str) -> Iterator[tuple[str, str]]:
    """Yield the addresses of a new database and of one for its first tables alone; drop them in the end."""
    names = [f"upgrade_{secrets.token_hex(4)}_{what}" for what in ("large", "first")]
    with tempfile.TemporaryDirectory(prefix="block-you-upgrade-") as folder:
        if not server:
            yield f"sqlite:///{folder}/{names[0]}.sqlite3", f"sqlite:///{folder}/{names[1]}.sqlite3"
            return
        with contextlib.closing(connected(server)) as connection:
            for name in names:
                connection.execute(f'CREATE DATABASE "{name}"')
            try:
                yield (f"{server.rpartition('/')[0]}/{names[0]}", f"{server.rpartition('/')[0]}/{names[1]}")
            finally:
                for name in names:
                    connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def migrate(address: str, targets: dict[str, str]) -> float:
    """Bring a database to these migrations, to the last ones without any; return how long that took."""
    with tempfile.TemporaryDirectory() as var:
        environment = os.environ | {
            "DATABASE_URL": address,
            "DJANGO_SETTINGS_MODULE": "blockyou.settings.prod",
            "SECRET_KEY": secrets.token_urlsafe(64),
            "VAR_DIR": var,
        }
        command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
        began = time.perf_counter()
        for app, name in targets.items() or [("", "")]:
            subprocess.run([*command, *filter(None, (app, name))], cwd=ROOT, env=environment, check=True)
        return time.perf_counter() - began


def columns(address: str) -> Columns:
    """Return the columns of our tables, in the order of their names."""
    asked = (
        "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'"
        if address.startswith("postgres")
        else "SELECT m.name, p.name FROM sqlite_master m JOIN pragma_table_info(m.name) p WHERE m.type = 'table'"
    )
    found: Columns = {}
    with contextlib.closing(connected(address)) as connection:
        for table, column in sorted(connection.execute(asked).fetchall()):
            if table.startswith(("accounts_", "games_")) and table not in WORKED_OUT:
                found.setdefault(table, []).append(column)
    return found


def digests(address: str, both: Columns) -> dict[str, tuple[int, str]]:
    """Return for each table how many rows it has and what they come to, of these columns alone."""
    found = {}
    with contextlib.closing(connected(address)) as connection:
        for table, names in both.items():
            named, number, digest = ", ".join(f'"{name}"' for name in names), 0, hashlib.sha256()
            order = '"id"' if "id" in names else named
            for row in rows(connection, f'SELECT {named} FROM "{table}" ORDER BY {order}'):
                digest.update(repr(row).encode())
                number += 1
            found[table] = number, digest.hexdigest()
    return found


def rows(connection: Any, statement: str) -> Iterator[Any]:
    """Yield what a statement finds without having all of it in memory."""
    if not hasattr(connection, "pgconn"):
        yield from connection.execute(statement)
        return
    with connection.transaction(), connection.cursor(name="rows") as cursor:
        cursor.itersize = 10_000
        yield from cursor.execute(statement)


def main() -> None:
    """Fill, go back and forward, and say what was met."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--games", type=int, default=107_000, help="from 450 to 149,000 on SQLite; nine moves each, about"
    )
    parser.add_argument("--database", default="", help="a PostgreSQL server, as in DATABASE_URL; else SQLite")
    options = parser.parse_args()
    with database(options.database) as (address, first):
        migrate(first, FIRST)
        fill = [sys.executable, "-m", "benchmarks.growth.fill", "--games", str(options.games), "--database", address]
        subprocess.run(fill, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        at_first, now = columns(first), columns(address)
        both = {
            table: [name for name in names if name in now[table]] for table, names in at_first.items() if table in now
        }
        before, writes = digests(address, both), Writes(address)
        print(f"{before['games_game'][0]:,} games, {before['games_move'][0]:,} moves, {len(both)} tables", flush=True)
        for way, targets in (("back", FIRST), ("forward", {})):
            with writes.going_on():
                seconds = migrate(address, targets)
            print(f"{way}: {seconds:.1f} s, {writes.figures()}", *writes.errors[:5], flush=True)
        after = digests(address, both)
        changed = {table: (before[table][0], found[0]) for table, found in after.items() if found != before[table]}
        is_whole = columns(address) == now and not changed
    print(f"every row as before: {'yes' if is_whole else f'no, not in {changed}'}")
    sys.exit(0 if is_whole and not writes.errors else 1)


if __name__ == "__main__":
    main()
