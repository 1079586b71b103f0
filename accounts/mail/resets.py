"""Links for a new password: asked for by a page, written by a job (`accounts.mail.requests`).

The page does the same for every address: it stores it. So neither its answer nor its time tells whether an account has
it. The job looks the accounts up.
"""

from datetime import datetime
from typing import TYPE_CHECKING, cast

from allauth.account import app_settings
from allauth.account.adapter import get_adapter
from allauth.account.utils import filter_users_by_email, user_pk_to_url_str
from django.utils import timezone

from accounts.mail.outbox import WrittenMail
from accounts.mail.requests import answer_once
from accounts.models import ResetRequest, User
from accounts.readers import languages
from accounts.signals import tell_reset_asked

if TYPE_CHECKING:
    from accounts.adapter import Adapter


def ask_for_reset(email: str) -> None:
    """Store that a link is wanted, and announce it after commit. One insert, whether or not an account has it."""
    asked = ResetRequest.objects.create(email=email, language=languages.reading(), asked_at=timezone.now())
    tell_reset_asked(asked.pk)


def answer_reset(request_id: int, *, now: datetime) -> bool:
    """Post the e-mails to the owners of the address, or that there is no account; return whether it was done now."""
    return answer_once(ResetRequest, request_id, _write, now)


def reset_link(person: User) -> str:
    """Return the absolute address at which this person can choose a new password, once and for an hour."""
    token = app_settings.PASSWORD_RESET_TOKEN_GENERATOR().make_token(person)
    return str(get_adapter().get_reset_password_from_key_url(f"{user_pk_to_url_str(person)}-{token}"))


def drop_resets_of(addresses: set[str]) -> None:
    """Forget what was asked for these addresses. One query."""
    ResetRequest.objects.filter(email__in={address.lower() for address in addresses}).delete()


def _write(asked: ResetRequest) -> list[WrittenMail]:
    adapter, email = cast("Adapter", get_adapter()), asked.email
    owners = filter_users_by_email(email, is_active=True, prefer_verified=True)
    if not owners:
        return [adapter.write_mail("account/email/unknown_account", email, {})]
    return [
        adapter.write_mail("account/email/password_reset_key", email, {"user": person, "reset_url": reset_link(person)})
        for person in owners
    ]
