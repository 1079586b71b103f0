"""Putting a copy back: it is restored beside the database, proved there, and only then takes its place.

Until the last step the database is as it was. What it held is kept, under another name.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from blockyou.install.restoring_postgresql import PostgresqlPlace
from blockyou.install.restoring_sqlite import SqlitePlace

Migration = tuple[str, str]
_Say = Callable[[str], object]

#: How a copy of each kind begins.
BEGINNINGS = {"sqlite": b"SQLite format 3\0", "postgresql": b"PGDMP"}


class DatabasePlace(Protocol):
    """A database's place, and another one beside it in which a copy is tried out."""

    def refuse_if_in_use(self) -> None:
        """Raise CommandError while the site runs."""

    def staged(self, copy: Path) -> AbstractContextManager[str]:
        """Restore the copy beside the database; yield its address. At the end it goes, unless it took the place."""

    def migrations(self) -> set[Migration]:
        """Return the migrations of the staged copy."""

    def swap(self) -> str:
        """Replace the database by the staged copy; return where the one that was there is kept, if there was one."""


def restore(copy: Path, *, sample: int, only_try: bool, say: _Say) -> None:
    """Restore a copy; with `only_try` prove that it could be restored. `sample` games are replayed either way.

    Raises: CommandError; the database is then as it was.
    """
    check_kind(copy)
    stamp = f"{datetime.now(UTC):%Y%m%d_%H%M%S}"
    kinds: dict[str, Callable[[str], DatabasePlace]] = {"sqlite": SqlitePlace, "postgresql": PostgresqlPlace}
    place = kinds[connection.vendor](stamp)
    if not only_try:
        place.refuse_if_in_use()
    with place.staged(copy) as address:
        missing = check_migrations(place.migrations())
        if missing:
            say(f"The copy is of an earlier release: bringing it up to date ({missing} steps)")
        manage(address, "migrate", "--no-input", "--verbosity", "0")
        say(manage(address, "audit_games", "--sample", str(sample)))
        if only_try:
            say(f"{copy} can be restored. Nothing was changed.")
            return
        place.refuse_if_in_use()
        kept = place.swap()
    say(f"{copy} is restored." + (f" What was there before is kept as {kept}." if kept else ""))


def check_kind(copy: Path) -> None:
    """Refuse what is no copy of the kind of database that this installation uses.

    Raises: CommandError.
    """
    try:
        with copy.open("rb") as file:
            begins = file.read(16)
    except OSError as error:
        raise CommandError(f"{copy} cannot be read: {error.strerror}.") from error
    kind = next((kind for kind, beginning in BEGINNINGS.items() if begins.startswith(beginning)), None)
    if kind is None:
        raise CommandError(f"{copy} is neither a SQLite database nor a dump of PostgreSQL in its custom format.")
    if kind != connection.vendor:
        names = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
        raise CommandError(
            f"{copy} is a copy of {names[kind]}, and DATABASE_URL names {names[connection.vendor]}. Restore it there; "
            "`manage.py transfer` then brings SQLite's games to PostgreSQL."
        )


def check_migrations(applied: set[Migration]) -> int:
    """Return how many of this release's migrations a copy lacks.

    Raises: CommandError where it has others, or none at all.
    """
    loader = MigrationLoader(None, ignore_no_migrations=True)
    known = {*loader.disk_migrations, *(each for one in loader.disk_migrations.values() for each in one.replaces)}
    if not applied:
        raise CommandError("The copy holds no installation of Block-You.")
    if newer := sorted(applied - known):
        names = ", ".join(f"{app}.{name}" for app, name in newer[:3])
        raise CommandError(
            f"The copy was made by a newer release, with changes that this one does not know ({names}). "
            "Check that release out and restore there."
        )
    # Of a squashed migration a copy may have some of those that it replaces; it lacks the others then.
    lacking = [{*loader.disk_migrations[node].replaces} for node in loader.graph.nodes.keys() - applied]
    return sum(len(replaced - applied) if replaced & applied else 1 for replaced in lacking)


def manage(address: str, *arguments: str) -> str:
    """Run a management command on another database, in a process of its own; return what it said.

    Raises: CommandError.
    """
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), *arguments]
    environment = {**os.environ, "DATABASE_URL": address}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise CommandError(f"{arguments[0]} failed on the restored copy: {ran.stderr.strip()[-2000:]}")
    return ran.stdout.strip()
