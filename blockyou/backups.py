"""Copies of a SQLite database that are whole while others write, unlike copies of its file."""

import contextlib
from datetime import UTC, datetime
from pathlib import Path

from django.db.backends.base.base import BaseDatabaseWrapper

KEPT = 5
PATTERN = "db-*.sqlite3"


def back_up(connection: BaseDatabaseWrapper, folder: Path, *, kept: int = KEPT) -> Path | None:
    """Return a new consistent copy of the database in the folder, of which the last `kept` stay; None on PostgreSQL.

    `VACUUM INTO` sees every committed move. A plain copy of the file misses those that are still in its -wal file.
    """
    if connection.vendor != "sqlite":
        return None
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    copy = folder / f"db-{datetime.now(UTC):%Y%m%dT%H%M%S_%f}.sqlite3"
    unfinished = copy.with_suffix(".unfinished")
    try:
        with connection.cursor() as cursor:
            cursor.execute("VACUUM INTO %s", [str(unfinished)])
        unfinished.chmod(0o600)
        unfinished.rename(copy)
    finally:
        with contextlib.suppress(FileNotFoundError):
            unfinished.unlink()
    for old in sorted(folder.glob(PATTERN))[:-kept]:
        old.unlink()
    return copy
