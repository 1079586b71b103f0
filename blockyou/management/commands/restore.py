"""Put a copy of the database back: `manage.py restore var/backups/db-….sqlite3`."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from blockyou.install.restoring import restore

SAMPLE = 200


class Command(BaseCommand):
    """Restore a copy, or only prove that it could be restored."""

    help = "Restores a copy of the database, proved before it takes the place of what is there, which is kept."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="a copy that `manage.py backup` or an upgrade has made")
        parser.add_argument(
            "--check", action="store_true", help="only prove that it can be restored; the site may be running"
        )
        parser.add_argument(
            "--sample", type=int, default=SAMPLE, help="how many random games are replayed (default: %(default)s)"
        )

    def handle(self, *args: Any, file: Path, check: bool, sample: int, **options: Any) -> None:
        if not file.is_file():
            raise CommandError(f"{file} is not a file. `ls -R var/backups` lists the copies.")
        restore(file, sample=sample, only_try=check, say=self.stdout.write)
