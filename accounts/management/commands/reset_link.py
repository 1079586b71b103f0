"""Print a link with which one person can choose a new password: for a site that sends no e-mail."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.mail.resets import reset_link
from accounts.models import User

UNKNOWN = (
    "The address in this link is a guess: PUBLIC_URL is not set here. Set it as for the site, or put the site's own "
    "address before /accounts/."
)


class Command(BaseCommand):
    """`manage.py reset_link alice`."""

    help = "Print a one-time link with which this person can choose a new password."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", help="the person's name; case does not matter")

    def handle(self, *args: Any, username: str, **options: Any) -> None:
        person = find(username)
        minutes = settings.PASSWORD_RESET_TIMEOUT // 60
        self.stdout.write(reset_link(person))
        if not settings.PUBLIC_URL_IS_KNOWN:
            self.stderr.write(UNKNOWN)
        self.stderr.write(f"Give this link to {person.username} alone. It works once, within {minutes} minutes.")


def find(username: str) -> User:
    """Return the member of this name.

    Raises: CommandError, saying what to do.
    """
    person = User.objects.filter(User.bearing(username), is_active=True).first()
    if person is None or not person.answers_to(username):
        raise CommandError(f"There is no account named {username!r}. Check the spelling; case does not matter.")
    if person.is_guest:
        raise CommandError(
            f"{person.username} is a guest, without a password: guests create their account in the browser."
        )
    if person.is_bot:
        raise CommandError(f"{person.username} is a bot account, which has no password: programs play it by tokens.")
    return person
