"""Give a person access to the host's pages, or take it away: `manage.py staff alice`."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from accounts.keys.factors import has_second_factor
from accounts.management.commands.reset_link import find

WITHOUT_FACTOR = (
    "{name} has no second factor yet: the host's pages open once one-time codes are on or a passkey is added. They "
    "lead to the page for it."
)


class Command(BaseCommand):
    """`manage.py staff alice`, `manage.py staff alice --remove`."""

    help = "Give a person who has an account access to all of the host's pages, or take it away (--remove)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", help="the person's name; case does not matter")
        parser.add_argument("--remove", action="store_true", help="take the right away")

    def handle(self, *args: Any, username: str, remove: bool, **options: Any) -> None:
        person = find(username)
        person.is_staff = person.is_superuser = not remove
        person.save(update_fields=["is_staff", "is_superuser"])
        self.stdout.write(f"{person.username} {'no longer sees' if remove else 'sees'} the host's pages.")
        if not (remove or has_second_factor(person)):
            self.stdout.write(WITHOUT_FACTOR.format(name=person.username))
