"""Copy the database while it is in use: `manage.py backup`, or into a folder of yours."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from blockyou.install.backups import COPIES, DAYS, WEEKS, back_up


class Command(BaseCommand):
    """Write a consistent copy of the database and print its path."""

    help = "Writes a checked, consistent copy of the database, also while people play, and prints its path."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--folder", type=Path, default=settings.VAR_DIR / "backups", help="where the copies go")
        parser.add_argument("--keep", type=int, default=COPIES, help=f"how many copies stay (default: {COPIES})")
        parser.add_argument(
            "--days",
            type=int,
            default=DAYS,
            help=f"days of which the last copy stays as well (default: {DAYS})",
        )
        parser.add_argument(
            "--weeks",
            type=int,
            default=WEEKS,
            help=f"weeks of which the last copy stays as well (default: {WEEKS})",
        )

    def handle(self, *args: Any, folder: Path, keep: int, days: int, weeks: int, **options: Any) -> None:
        check_worth_copying()
        copy = back_up(connection, folder, kept=max(1, keep), days=days, weeks=weeks)
        self.stdout.write(str(copy))


def check_worth_copying() -> None:
    """Refuse a database without accounts: a copy of it would push a good one out, and it may be the wrong database.

    Raises: CommandError.
    """
    name = connection.settings_dict["NAME"]
    # Asking SQLite would make the file.
    is_there = connection.vendor != "sqlite" or Path(name).exists()
    tables = connection.introspection.table_names() if is_there else []
    people = get_user_model()
    if people._meta.db_table not in tables or not people.objects.exists():
        raise CommandError(
            f"Nothing was copied: {name} {'holds no account and no game' if is_there else 'does not exist'}. "
            "Are VAR_DIR and DATABASE_URL those of the site?"
        )
