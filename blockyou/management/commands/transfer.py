"""Move an installation from SQLite to PostgreSQL: `manage.py transfer sqlite:///var/db.sqlite3`."""

from pathlib import Path
from typing import Any
from urllib.parse import unquote

from django.core.management.base import BaseCommand, CommandError, CommandParser

from blockyou.install.transfer import transfer

SCHEME = "sqlite:///"
SAMPLE = 200


class Command(BaseCommand):
    """Fill the empty PostgreSQL database of DATABASE_URL from a SQLite database."""

    help = (
        "Copies a SQLite database into the empty PostgreSQL database of DATABASE_URL, and proves that they are equal."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("source", help="the SQLite database: a path, or an address as in DATABASE_URL")
        parser.add_argument(
            "--sample", type=int, default=SAMPLE, help="how many random games are replayed (default: %(default)s)"
        )

    def handle(self, *args: Any, source: str, sample: int, **options: Any) -> None:
        path = Path(unquote(source.removeprefix(SCHEME)) if source.startswith(SCHEME) else source)
        if not path.is_file():
            raise CommandError(f"There is no SQLite database at {path}.")
        transfer(path, sample=sample, say=self.stdout.write)
