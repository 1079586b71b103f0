"""Take a person's passkeys and codes away: for a member who has lost them all, and whom the host has recognised."""

import logging
from typing import Any, cast

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction

from accounts.adapter import Adapter
from accounts.keys.factors import drop_factors
from accounts.mail.addresses import has_confirmed_address
from accounts.mail.outbox import WrittenMail, post_mail
from accounts.management.commands.reset_link import find
from accounts.models import User
from accounts.sessions import end_sessions
from accounts.signals import tell_sessions_ended
from accounts.tokens import revoke_tokens

logger = logging.getLogger(__name__)


class Command(BaseCommand):
    """`manage.py drop_factors alice`."""

    help = "Take all passkeys, one-time codes and recovery codes of a person away, who then logs in by the password."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", help="the person's name; case does not matter")

    def handle(self, *args: Any, username: str, **options: Any) -> None:
        person = find(username)
        count = _drop(person, _letter(person))
        logger.info("factors dropped person=%s count=%s", person.pk, count)
        if not count:
            self.stdout.write(f"{person.username} has no passkeys and no codes, and is logged out everywhere.")
            return
        self.stdout.write(f"{person.username} is logged out everywhere, and logs in by the password alone now.")
        if not person.has_usable_password():
            self.stdout.write(f"There is no password: give {person.username} the link of `manage.py reset_link`.")


def _letter(person: User) -> WrittenMail | None:
    """Return what tells the person of it, None for who has confirmed no address."""
    if not (settings.EMAIL_IS_SET and person.email and has_confirmed_address(person)):
        return None
    return cast(Adapter, get_adapter()).write_mail("mfa/email/factors_dropped", person.email, {"user": person})


@transaction.atomic
def _drop(person: User, letter: WrittenMail | None) -> int:
    """Take all away, and end sessions and tokens: what is lost may be a device that is still logged in."""
    count = drop_factors(person)
    if count and letter:
        post_mail(letter.message, letter.kind, letter.page)
    end_sessions(person.pk)
    revoke_tokens(person.pk)
    tell_sessions_ended(person.pk)
    return count
