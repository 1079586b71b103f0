"""Take a person's passkeys and codes away: for a member who has lost them all, and whom the host has recognised."""

import logging
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from accounts.keys.factors import drop_factors
from accounts.management.commands.reset_link import find

logger = logging.getLogger(__name__)


class Command(BaseCommand):
    """`manage.py drop_factors alice`."""

    help = "Take all passkeys, one-time codes and recovery codes of a person away, who then logs in by the password."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", help="the person's name; case does not matter")

    def handle(self, *args: Any, username: str, **options: Any) -> None:
        person = find(username)
        count = drop_factors(person)
        logger.info("factors dropped person=%s count=%s", person.pk, count)
        if not count:
            self.stdout.write(f"{person.username} has no passkeys and no codes.")
            return
        self.stdout.write(f"{person.username} logs in by the password alone now, and is told so on the site.")
        if not person.has_usable_password():
            self.stdout.write(f"There is no password: give {person.username} the link of `manage.py reset_link`.")
