"""Whose account a person of the host's provider has: kept by allauth's table, without what else the provider says."""

import hashlib
from functools import lru_cache

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.db import IntegrityError, transaction

from accounts.models import User


class OthersAccount(Exception):  # noqa: N818  (it says what is refused)
    """A person of the provider who has another account here."""


class OtherPerson(Exception):  # noqa: N818  (it says what is refused)
    """The account belongs to another person of the provider already."""


class OnlyWayIn(Exception):  # noqa: N818  (it says what is refused)
    """An account without password and passkey, which nothing else opens."""


def provider_key() -> str:
    """Return what rows call the provider: another issuer is another one, whose people are others."""
    issuer: str = settings.SIGN_ON["issuer"]
    return _digest(issuer)


@lru_cache(maxsize=8)
def _digest(issuer: str) -> str:
    return hashlib.sha256(issuer.encode()).hexdigest()[:20]


def link_of(user: User) -> SocialAccount | None:
    """Return how the person is known to the provider, None if not, or if there is none. One query with a provider."""
    if not settings.SIGN_ON:
        return None
    return SocialAccount.objects.filter(user=user, provider=provider_key()).first()


def linked_person(subject: str) -> User | None:
    """Return whose account this person of the provider has. One query."""
    rows = SocialAccount.objects.filter(provider=provider_key(), uid=subject).select_related("user")
    return next((row.user for row in rows), None)


@transaction.atomic
def link_account(user: User, subject: str) -> bool:
    """Link this account to a person of the provider; return whether that is new. A second tap changes nothing.

    Raises: OthersAccount, OtherPerson.
    """
    person = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    own = SocialAccount.objects.filter(user=person, provider=provider_key()).first()
    if own is not None:
        if own.uid != subject:
            raise OtherPerson
        return False
    if not person.is_active:
        raise OthersAccount
    try:
        with transaction.atomic():
            SocialAccount.objects.create(user=person, provider=provider_key(), uid=subject)
    except IntegrityError:
        raise OthersAccount from None
    return True


@transaction.atomic
def unlink_account(user: User) -> bool:
    """Unlink the account from the provider; return whether it was linked.

    Raises: OnlyWayIn.
    """
    person = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    rows = SocialAccount.objects.filter(user=person, provider=provider_key())
    if not rows.exists():
        return False
    has_passkey = Authenticator.objects.filter(user=person, type=Authenticator.Type.WEBAUTHN).exists()
    if not (person.has_usable_password() or has_passkey):
        raise OnlyWayIn
    rows.delete()
    return True


def keep_address(user: User, email: str) -> None:
    """Give a new account the address that the provider has confirmed, unless another account has it.

    That account stays as it is: who has the address is not who has the account.
    """
    if not email or EmailAddress.objects.filter(email__iexact=email, verified=True).exists():
        return
    try:
        with transaction.atomic():
            EmailAddress.objects.create(user=user, email=email.lower(), verified=True).set_as_primary()
    except IntegrityError:
        return
