"""`manage.py rate`: fit all ratings anew from all rated games."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from games.actions.ratings.rate_family import rate_family
from games.ratings.families import FAMILIES


class Command(BaseCommand):
    """Fit the ratings of every family from the beginning. One that breaks off leaves the old ratings as they were."""

    help = "Fit all ratings anew from all rated games, one family after the other. It may run while people play."

    def handle(self, *args: Any, **options: Any) -> None:
        for family in FAMILIES:
            done = rate_family(family, now=timezone.now())
            if done.games:
                self.stdout.write(f"{family}: {done.people} people rated from {done.games} games.")
