"""The place of a SQLite database: a file, and its log of late writes beside it."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from django.core.management.base import CommandError
from django.db import connection

from blockyou.install.copies import check_copy, check_space, opened, settle_on_disk

#: What SQLite keeps beside a database that is in use.
COMPANIONS = ("-wal", "-shm", "-journal")
#: How long another process may be in the middle of something, in seconds.
LOCK_SECONDS = 2.0
RUNNING = "The site is running on {}. Stop it first."


class SqlitePlace:
    """The file of the database, and one of the same folder in which a copy is tried out."""

    def __init__(self, stamp: str) -> None:
        self.database = Path(connection.settings_dict["NAME"]).resolve()
        self._staged = self.database.with_name(f"{self.database.name}.restoring-{stamp}")
        self._kept = self.database.with_name(f"{self.database.name}.replaced-{stamp}")

    def refuse_if_in_use(self) -> None:
        """Raise CommandError while another process has the database open, or the sweep's lease has not run out."""
        connection.close()
        check_idle(self.database)

    @contextmanager
    def staged(self, copy: Path) -> Iterator[str]:
        """Copy and check the file; yield its address. At the end it goes, unless it took the place."""
        self.database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        check_space(self.database.parent, copy.stat().st_size)
        try:
            self._staged.touch(mode=0o600)
            with opened(copy) as source, closing(sqlite3.connect(self._staged)) as target:
                source.backup(target)
            check_copy(self._staged)
            self._check_references()
            yield f"sqlite:///{quote(str(self._staged))}"
        finally:
            for path in _with_companions(self._staged):
                path.unlink(missing_ok=True)

    def _check_references(self) -> None:
        with opened(self._staged) as copy:
            if broken := copy.execute("PRAGMA foreign_key_check").fetchone():
                raise CommandError(f"The copy is damaged: a row of {broken[0]} points to one of {broken[2]} not there.")

    def migrations(self) -> set[tuple[str, str]]:
        """Return the migrations of the staged copy."""
        with opened(self._staged) as copy:
            if not copy.execute("SELECT 1 FROM sqlite_master WHERE name = 'django_migrations'").fetchone():
                return set()
            return {(str(app), str(name)) for app, name in copy.execute("SELECT app, name FROM django_migrations")}

    def swap(self) -> str:
        """Replace the file by the staged one; return the new path of the one that was there, if there was one."""
        _settle(self._staged)
        settle_on_disk(self._staged)
        was_there = self.database.exists()
        for path, kept in zip(_with_companions(self.database), _with_companions(self._kept), strict=True):
            if path.exists():
                path.rename(kept)
        self._staged.rename(self.database)
        settle_on_disk(self.database.parent)
        return str(self._kept) if was_there else ""


def check_idle(database: Path) -> None:
    """Refuse a SQLite database that a site is running on. One that is missing or broken is idle.

    A web process may have it open just now or not: the sweep's lease tells of a site either way.
    Raises: CommandError.
    """
    if not database.exists():
        return
    with suppress(sqlite3.DatabaseError):
        _settle(database)
        with closing(sqlite3.connect(database, timeout=LOCK_SECONDS)) as connection:
            until = connection.execute("SELECT max(until) FROM games_lease WHERE holder <> ''").fetchone()[0]
        if until and datetime.fromisoformat(until).replace(tzinfo=UTC) > datetime.now(UTC):
            raise CommandError(f"{RUNNING.format(database)} If it was killed, wait half a minute.")


def _settle(database: Path) -> None:
    """Put SQLite's log of late writes into the file, which stands alone then.

    Raises: CommandError while another process has it open; sqlite3.DatabaseError where the file is broken.
    """
    try:
        with closing(sqlite3.connect(database, timeout=LOCK_SECONDS)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
        raise CommandError(RUNNING.format(database)) from None


def _with_companions(database: Path) -> list[Path]:
    return [database, *(Path(f"{os.fspath(database)}{ending}") for ending in COMPANIONS)]
