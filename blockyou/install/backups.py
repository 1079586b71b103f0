"""Copies of the database that are whole while others write, unlike copies of its file."""

import time
from datetime import UTC, datetime
from pathlib import Path

from django.core.management.base import CommandError
from django.db.backends.base.base import BaseDatabaseWrapper

from blockyou.install.copies import settle_on_disk, write_copy
from blockyou.install.dumps import write_dump
from blockyou.install.rotation import STAMP, Rotation, rotate

COPIES, DAYS, WEEKS = 5, 7, 4

#: Copies made before a migration lie in a folder of their own, so that neither kind pushes the other out.
BEFORE_UPGRADES = "before-upgrades"
WRITERS = {"sqlite": (write_copy, "sqlite3"), "postgresql": (write_dump, "dump")}

#: What a killed process has left of a copy is removed after this many seconds.
UNFINISHED_FOR = 24 * 3600


def back_up(
    connection: BaseDatabaseWrapper, folder: Path, *, kept: int = COPIES, days: int = 0, weeks: int = 0
) -> Path:
    """Return a new consistent copy of the database in the folder, checked; then remove those whose time is over.

    What stays: the last `kept`, and the last of each day and of each week that the rotation keeps. Nothing is removed
    unless the new copy is good.
    Raises: CommandError; its subclass ToolMissingError where PostgreSQL's tools are not installed.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _remove_unfinished(folder)
    write, ending = WRITERS[connection.vendor]
    copy = folder / f"db-{datetime.now(UTC).strftime(STAMP)}.{ending}"
    unfinished = copy.with_suffix(".unfinished")
    try:
        # Only its owner may read it, from its first byte on.
        unfinished.touch(mode=0o600)
        write(connection, unfinished)
        unfinished.rename(copy)
    except OSError as error:
        raise CommandError(f"The copy could not be written to {folder}: {error.strerror or error}") from error
    finally:
        unfinished.unlink(missing_ok=True)
    settle_on_disk(folder)
    rotate(folder, Rotation(kept, days, weeks))
    return copy


def _remove_unfinished(folder: Path) -> None:
    for path in folder.glob("db-*.unfinished"):
        if path.stat().st_mtime < time.time() - UNFINISHED_FOR:
            path.unlink(missing_ok=True)
