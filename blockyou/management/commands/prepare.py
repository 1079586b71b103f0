"""Get an installation ready to serve: back up, migrate, collect static files. Quick when there is nothing to do."""

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS, OperationalError, connection
from django.db.migrations.executor import MigrationExecutor

from blockyou.assets.collecting import collect, is_collected, prune
from blockyou.install.address import remember_address
from blockyou.install.backups import BEFORE_UPGRADES, back_up
from blockyou.install.dumps import ToolMissingError
from blockyou.install.private import keep_private
from blockyou.install.secret_key import stored_secret
from games.background.upkeep import gather_statistics
from games.notifications.channels.webpush.vapid import new_push_key

#: How long a migration waits for a table that others use, how often it tries, and how long it lets others through.
LOCK_SECONDS, MIGRATION_TRIES, MIGRATION_PAUSE_SECONDS = 2, 20, 5
#: By how many steps what is slow and holds nothing lets others go first: not last, for it has to end on a busy machine.
STEPS_BACK = 10
#: What PostgreSQL calls it when a lock was not to be had in time.
LOCK_NOT_AVAILABLE = "55P03"


class Command(BaseCommand):
    """Back up and migrate the database where needed, and collect the static files where they changed."""

    help = "Backs up and migrates the database where needed, and collects the static files where they changed."

    def handle(self, *args: Any, **options: Any) -> None:
        keep_files_private(self)
        if settings.PUBLIC_URL_IS_KNOWN and not settings.DEBUG:
            remember_address(Path(settings.VAR_DIR), settings.PUBLIC_URL)
        if not settings.PUSH_KEY:
            stored_secret(Path(settings.VAR_DIR) / "push-key", new_push_key)
        prepare_database(self)
        # The puzzles of a release are there as soon as it is; nothing is done where they are.
        call_command("make_puzzles", stdout=self.stdout)
        prepare_static_files(self)


def keep_files_private(command: BaseCommand) -> None:
    """Close what an earlier start has left open to other users of the machine."""
    database = Path(settings.DATABASES[DEFAULT_DB_ALIAS]["NAME"]) if settings.IS_SQLITE else None
    if keep_private(Path(settings.VAR_DIR), database):
        command.stdout.write(f"Files in {settings.VAR_DIR} could be read by others; now they cannot.")


def prepare_database(command: BaseCommand) -> None:
    """Apply what is not applied yet, after a copy of a database that has something in it."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if not plan:
        return
    if executor.loader.applied_migrations:
        keep_copy(command)
    command.stdout.write(f"Bringing the database up to date ({len(plan)} steps)")
    migrate(command)
    gather_statistics()


def migrate(command: BaseCommand) -> None:
    """Apply the migrations. Where one waits for a table that others use, let those through and try again.

    What has been applied stays applied. On PostgreSQL everyone who comes after a migration that waits for a table waits
    behind it, so it may not wait for long.

    Raises:
        CommandError: the tables were in use at every try.

    """
    for number in range(1, MIGRATION_TRIES + 1):
        try:
            with lock_timeout():
                call_command("migrate", database=DEFAULT_DB_ALIAS, interactive=False, verbosity=0)
        except OperationalError as error:
            if getattr(error.__cause__, "sqlstate", "") != LOCK_NOT_AVAILABLE:
                raise
            waited = f"A table was in use for {LOCK_SECONDS} seconds (try {number} of {MIGRATION_TRIES})."
            if number == MIGRATION_TRIES:
                raise CommandError(f"{waited} Run this again when less is going on: what is done stays done.") from None
            command.stdout.write(f"{waited} Trying again in {MIGRATION_PAUSE_SECONDS} seconds.")
            time.sleep(MIGRATION_PAUSE_SECONDS)
        else:
            return


@contextmanager
def lock_timeout() -> Iterator[None]:
    """Limit how long statements wait for locks; on SQLite, change nothing."""
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(f"SET lock_timeout = '{LOCK_SECONDS}s'")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET lock_timeout")


def keep_copy(command: BaseCommand) -> None:
    """Copy the database before it changes, apart from the regular copies; without a tool for it, say so and go on."""
    try:
        copy = back_up(connection, settings.VAR_DIR / "backups" / BEFORE_UPGRADES)
    except ToolMissingError as error:
        command.stdout.write(f"The database changes without a copy. {error}")
    else:
        command.stdout.write(f"The database was copied to {copy} before it changes.")


def prepare_static_files(command: BaseCommand) -> None:
    """Collect the static files under hashed names unless their sources are those of the last time; drop old ones."""
    root = Path(settings.STATIC_ROOT)
    if not is_collected(root):
        command.stdout.write("Collecting the static files")
        # They are compressed on every processor, seconds long, while people play. On Linux this is the threads' alone.
        with ThreadPoolExecutor(1, initializer=partial(os.nice, STEPS_BACK)) as others_first:
            others_first.submit(collect, root).result()
    prune(root)
