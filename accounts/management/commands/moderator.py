"""Make a person a moderator, who handles reports, or end that: `manage.py moderator alice`."""

import logging
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from accounts.keys.factors import has_second_factor
from accounts.management.commands.reset_link import find

logger = logging.getLogger(__name__)

WITHOUT_FACTOR = (
    "{name} has no second factor yet: the pages of moderators open once one-time codes are on or a passkey is added. "
    "They lead to the page for it."
)


class Command(BaseCommand):
    """`manage.py moderator alice`, `manage.py moderator alice --remove`."""

    help = "Appoint a person who has an account as a moderator, who handles reports; or no longer (--remove)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", help="the person's name; case does not matter")
        parser.add_argument("--remove", action="store_true", help="take the right away")

    def handle(self, *args: Any, username: str, remove: bool, **options: Any) -> None:
        person = find(username)
        person.is_moderator = not remove
        person.save(update_fields=["is_moderator"])
        logger.info("moderator %s person=%s", "removed" if remove else "appointed", person.pk)
        self.stdout.write(f"{person.username} is {'no longer' if remove else 'now'} a moderator.")
        if not (remove or has_second_factor(person)):
            self.stdout.write(WITHOUT_FACTOR.format(name=person.username))
