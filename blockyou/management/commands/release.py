"""Print which release is installed: `manage.py release`. (`manage.py version` is Django's own.)"""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    """Print the version, and the commit where it is known."""

    help = "Prints the version of Block-You and the commit it was built from."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(settings.RELEASE)
