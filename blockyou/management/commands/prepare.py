"""Get an installation ready to serve: back up, migrate, collect static files. Quick when there is nothing to do."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import DEFAULT_DB_ALIAS, connection
from django.db.migrations.executor import MigrationExecutor

from blockyou.assets.collecting import collect, is_collected, prune
from blockyou.install.address import remember_address
from blockyou.install.backups import BEFORE_UPGRADES, back_up
from blockyou.install.dumps import ToolMissingError
from blockyou.install.private import keep_private
from blockyou.install.secret_key import stored_secret
from games.notifications.channels.webpush.vapid import new_push_key
from games.upkeep import gather_statistics


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
    call_command("migrate", database=DEFAULT_DB_ALIAS, interactive=False, verbosity=0)
    gather_statistics()


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
        collect(root)
    prune(root)
