"""SQLite's copies: writing one while others write to the database, and finding out what is wrong with one."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from django.core.management.base import CommandError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import DatabaseError

#: The table whose rows are the truth of every game. No job deletes from it.
MOVES = "games_move"


def write_copy(connection: BaseDatabaseWrapper, path: Path) -> None:
    """Write a copy of the database as of this moment, and compare it with what it was made from.

    `VACUUM INTO` sees every committed move. A plain copy of the file misses those that are still in its -wal file.
    Raises: CommandError.
    """
    with connection.cursor() as cursor:
        pages, size = (cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
        check_space(path.parent, pages * size)
        has_moves = MOVES in connection.introspection.table_names(cursor)
        least = cursor.execute(f"SELECT count(*) FROM {MOVES}").fetchone()[0] if has_moves else 0  # noqa: S608
        try:
            cursor.execute("VACUUM INTO %s", [str(path)])
        except DatabaseError as error:
            raise CommandError(f"The copy could not be written to {path.parent}: {error}") from error
    settle_on_disk(path)
    check_copy(path, least_moves=least)


def check_copy(path: Path, *, least_moves: int = 0) -> None:
    """Read a copy to its end, indexes included, and count its moves.

    Raises: CommandError.
    """
    with opened(path) as copy:
        problems = [str(row[0]) for row in copy.execute("PRAGMA integrity_check(5)")]
        if problems != ["ok"]:
            raise CommandError(f"{path} is damaged: {'; '.join(problems)}")
        if least_moves:
            (moves,) = copy.execute(f"SELECT count(*) FROM {MOVES}").fetchone()  # noqa: S608
            if moves < least_moves:
                raise CommandError(f"{path} holds {moves} moves; the database held {least_moves} before.")


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection that reads a SQLite file and never makes one.

    Raises: CommandError for a file that is none.
    """
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            yield connection
    except sqlite3.DatabaseError as error:
        raise CommandError(f"{path} cannot be read: {error}") from error


def check_space(folder: Path, needed: int) -> None:
    """Refuse to begin what the folder's disk has no room for.

    Raises: CommandError.
    """
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise CommandError(f"{folder} has {free // 2**20} MiB free; {needed // 2**20} MiB are needed.")


def settle_on_disk(path: Path) -> None:
    """Wait until the disk has a file or a folder's names."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
