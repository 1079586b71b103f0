"""The first e-mail to an address that somebody signed up with, written by a job (`accounts.mail.requests`).

It has the link that confirms the address, or tells its owner that they have an account already. The page does not look
which: it stores that an e-mail is wanted, and takes as long for every address.
"""

from datetime import datetime
from typing import TYPE_CHECKING, cast

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.utils import timezone

from accounts.mail.outbox import WrittenMail
from accounts.mail.requests import answer_once
from accounts.models import ConfirmationRequest
from accounts.readers import languages
from accounts.signals import tell_confirmation_asked

if TYPE_CHECKING:
    from accounts.adapter import Adapter


def ask_for_confirmation(address: EmailAddress) -> None:
    """Store that the address is to be written to, and announce it after commit. One insert, whoever else has it."""
    asked = ConfirmationRequest.objects.create(
        address_id=address.pk, language=languages.reading(), asked_at=timezone.now()
    )
    tell_confirmation_asked(asked.pk)


def answer_confirmation(request_id: int, *, now: datetime) -> bool:
    """Post the e-mail to the address, none if it is confirmed or gone by now; return whether it was done now."""
    return answer_once(ConfirmationRequest, request_id, _write, now)


def drop_confirmations_of(address_ids: set[int]) -> None:
    """Forget what was asked for these rows of `EmailAddress`. One query."""
    ConfirmationRequest.objects.filter(address_id__in=address_ids).delete()


def _write(asked: ConfirmationRequest) -> list[WrittenMail]:
    waiting = EmailAddress.objects.filter(pk=asked.address_id, verified=False).select_related("user")
    return [_mail_to(address) for address in waiting]


def _mail_to(address: EmailAddress) -> WrittenMail:
    adapter = cast("Adapter", get_adapter())
    if not address.can_set_verified():
        return adapter.write_mail("account/email/account_already_exists", address.email, {})
    url = adapter.get_email_confirmation_url(None, EmailConfirmationHMAC(address))
    context = {"user": address.user, "activate_url": url}
    return adapter.write_mail("account/email/email_confirmation_signup", address.email, context)
