"""Look for what a host gets wrong: `manage.py doctor`, as the user and with the environment of the service."""

import sys
from typing import Any

from django.core.management.base import BaseCommand

from blockyou.checkup import diagnoses


class Command(BaseCommand):
    """Print a line a part; end with status 1 if something is wrong."""

    help = "Looks for what is wrong with this installation, a line a part with what to do. Changes nothing."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        found = []
        for diagnosis in diagnoses():
            found.append(diagnosis)
            self.stdout.write(f"{'ok   ' if diagnosis.is_well else 'WRONG'}  {diagnosis.part:<9} {diagnosis.says}")
            self.stdout.flush()
        if not all(diagnosis.is_well for diagnosis in found):
            sys.exit(1)
