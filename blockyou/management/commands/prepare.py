"""Get an installation ready to serve: back up, migrate, collect static files. Quick when there is nothing to do."""

from hashlib import sha256
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import DEFAULT_DB_ALIAS, connection
from django.db.migrations.executor import MigrationExecutor

from blockyou.backups import back_up


class Command(BaseCommand):
    """Back up and migrate the database where needed, and collect the static files where they changed."""

    help = "Backs up and migrates the database where needed, and collects the static files where they changed."

    def handle(self, *args: Any, **options: Any) -> None:
        prepare_database(self)
        prepare_static_files(self)


def prepare_database(command: BaseCommand) -> None:
    """Apply what is not applied yet, after a copy of a database that has something in it."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if not plan:
        return
    if executor.loader.applied_migrations:
        copy = back_up(connection, settings.VAR_DIR / "backups")
        command.stdout.write(f"The database was copied to {copy} before it changes." if copy else NO_COPY)
    command.stdout.write(f"Bringing the database up to date ({len(plan)} steps)")
    call_command("migrate", database=DEFAULT_DB_ALIAS, interactive=False, verbosity=0)


NO_COPY = "PostgreSQL is backed up by pg_dump, not here: docs/operations.md."


def prepare_static_files(command: BaseCommand) -> None:
    """Collect the static files under hashed names unless their sources are those of the last time."""
    root = Path(settings.STATIC_ROOT)
    mark = root / ".sources"
    wanted = fingerprint()
    if mark.exists() and mark.read_text() == wanted:
        return
    command.stdout.write("Collecting the static files")
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    mark.write_text(wanted)


def fingerprint() -> str:
    """Return a hash of every static source file's name, size and time of change."""
    digest = sha256()
    for finder in get_finders():
        for name, storage in finder.list([]):
            status = Path(storage.path(name)).stat()
            digest.update(f"{name}\0{status.st_size}\0{status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
