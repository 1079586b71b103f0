"""Links for a new password: asked for by a page, written by a job.

The page does the same for every address: it stores it. So neither its answer nor its time tells whether an account has
it. A job looks the accounts up, posts the e-mails (`accounts.mail.outbox`) and forgets the request, in one transaction:
each is answered once, however often the job runs.
"""

import logging
from datetime import datetime

from allauth.account import app_settings
from allauth.account.adapter import get_adapter
from allauth.account.utils import filter_users_by_email, user_pk_to_url_str
from django.db import transaction
from django.utils import timezone, translation

from accounts import languages
from accounts.mail.outbox import TRIED_FOR
from accounts.models import ResetRequest, User
from accounts.signals import tell_reset_asked

logger = logging.getLogger(__name__)


def ask_for_reset(email: str) -> None:
    """Store that a link is wanted, and announce it after commit. One insert, whether or not an account has it."""
    asked = ResetRequest.objects.create(email=email, language=languages.reading(), asked_at=timezone.now())
    tell_reset_asked(asked.pk)


def resets_due(before: datetime) -> set[tuple[int, int]]:
    """Return each request that should have been answered before a moment; the second number is 0. One query."""
    return {(pk, 0) for pk in ResetRequest.objects.filter(asked_at__lt=before).values_list("pk", flat=True)}


@transaction.atomic
def answer_reset(request_id: int, *, now: datetime) -> bool:
    """Post the e-mails to the owners of the address, or that there is no account; return whether it was done now.

    Safe to repeat and to run twice at once. A request that could not be answered for a day is dropped.
    """
    asked = ResetRequest.objects.select_for_update().filter(pk=request_id).first()
    if asked is None:
        return False
    if now - asked.asked_at < TRIED_FOR:
        with translation.override(asked.language):
            _write(asked.email)
    else:
        logger.error("Request %s for a new password could not be answered for a day and is dropped.", asked.pk)
    asked.delete()
    return True


def reset_link(person: User) -> str:
    """Return the absolute address at which this person can choose a new password, once and for an hour."""
    token = app_settings.PASSWORD_RESET_TOKEN_GENERATOR().make_token(person)
    return str(get_adapter().get_reset_password_from_key_url(f"{user_pk_to_url_str(person)}-{token}"))


def drop_resets_of(addresses: set[str]) -> None:
    """Forget what was asked for these addresses. One query."""
    ResetRequest.objects.filter(email__in={address.lower() for address in addresses}).delete()


def _write(email: str) -> None:
    adapter = get_adapter()
    owners = filter_users_by_email(email, is_active=True, prefer_verified=True)
    for person in owners:
        adapter.send_password_reset_mail(person, email, {"user": person, "reset_url": reset_link(person)})
    if not owners:
        adapter.send_mail("account/email/unknown_account", email, {})
