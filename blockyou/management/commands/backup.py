"""Copy the SQLite database while it is in use: `manage.py backup`, or into a folder of yours."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from blockyou.backups import KEPT, back_up


class Command(BaseCommand):
    """Write a consistent copy of the database and print its path."""

    help = "Writes a consistent copy of the SQLite database, also while people play, and prints its path."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--folder", type=Path, default=settings.VAR_DIR / "backups", help="where the copies go")
        parser.add_argument("--keep", type=int, default=KEPT, help=f"how many copies stay (default: {KEPT})")

    def handle(self, *args: Any, folder: Path, keep: int, **options: Any) -> None:
        copy = back_up(connection, folder, kept=max(1, keep))
        if copy is None:
            raise CommandError("This installation uses PostgreSQL: back it up with pg_dump (docs/operations.md).")
        self.stdout.write(str(copy))
