"""Getting an account back by mail: a link to the former address that undoes a change of the address, for seven days.

A thief who logs in changes the address and then the password. The link stands in the mail to the former address and is
the proof, so the owner need not be logged in. Once it is used, no link works that was made since it was: those are the
thief's. A thief who uses one of theirs ends no earlier link, so the oldest address has the last word.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.core import signing
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.sessions import end_sessions
from accounts.signals import address_restored, tell_sessions_ended
from accounts.tokens import revoke_tokens

# Links in mails that are already out are signed with it, so it keeps the name the module once had.
SALT = "accounts.restoring"
VALID = timedelta(days=7)


@dataclass(frozen=True)
class FormerAddress:
    """What a link stands for: whose account, the address that it had before, and when the link was made."""

    person: User
    email: str
    issued: datetime


def restoring_link(person: User, email: str, now: datetime | None = None) -> str:
    """Return the absolute address that gives the account its former address back."""
    issued = (now or timezone.now()).timestamp()
    token = signing.dumps([person.pk, email, issued], salt=SALT)
    return f"{settings.PUBLIC_URL}{reverse('account-restore-address', args=[token])}"


def owned_address(person: User) -> str:
    """Return the address that the person has confirmed, "" if there is none. One query."""
    return EmailAddress.objects.filter(user=person, verified=True).values_list("email", flat=True).first() or ""


def former_address(token: str, now: datetime | None = None) -> FormerAddress | None:
    """Return what the link stands for; None for one that is not ours, too old, used, or of a closed account."""
    try:
        pk, email, issued = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        return None
    at = datetime.fromtimestamp(issued, tz=timezone.get_default_timezone())
    person = User.objects.filter(pk=pk, is_active=True).first()
    if person is None or (now or timezone.now()) - at > VALID:
        return None
    if any(begin <= issued <= end for begin, end in _dead_spans(person)):
        return None
    return FormerAddress(person, email, at)


def _dead_spans(person: User) -> list[list[float]]:
    """Return in which times, in seconds, links were made that work no more."""
    if person.dead_links or person.address_restored_at is None:
        return list(person.dead_links)
    # An older release has noted no more than this.
    return [[0, person.address_restored_at.timestamp()]]


@transaction.atomic
def restore_address(former: FormerAddress, now: datetime | None = None) -> bool:
    """Give the account its former address back, confirmed, log it out everywhere, and forget its password.

    What was added to log in with in the week before the link was made, or since, goes too: a thief may have added it,
    and would keep the owner out. What is older is still asked for, and of moderators and staff all of it: the host
    knows them, and helps. Return whether it could be done: not if another account has confirmed that address in the
    meantime.
    """
    person = User.objects.select_for_update(no_key=True).get(pk=former.person.pk)
    at = now or timezone.now()
    email = former.email
    taken = EmailAddress.objects.filter(email__iexact=email, verified=True).exclude(user=person)
    if taken.exists():
        return False
    EmailAddress.objects.filter(user=person).delete()
    EmailAddress.objects.create(user=person, email=email, verified=True).set_as_primary()
    person.refresh_from_db(fields=["email"])
    still_counting = [span for span in _dead_spans(person) if span[1] > (at - VALID).timestamp()]
    person.dead_links = [*still_counting, [former.issued.timestamp(), at.timestamp()]]
    person.address_restored_at = at
    person.set_unusable_password()
    person.save(update_fields=["address_restored_at", "dead_links", "password"])
    is_trusted = person.is_moderator or person.is_staff
    lost_factors = not is_trusted and _drop_factors(person, since=former.issued - VALID)
    address_restored.send(None, user_id=person.pk, lost_factors=lost_factors)
    end_sessions(person.pk)
    revoke_tokens(person.pk)
    tell_sessions_ended(person.pk)
    return True


def _drop_factors(person: User, since: datetime) -> bool:
    factors = Authenticator.objects.filter(user=person)
    gone = factors.filter(created_at__gte=since).delete()[0]
    gone += SocialAccount.objects.filter(user=person, date_joined__gte=since).delete()[0]
    # Recovery codes alone ask for nothing at a log-in.
    if not factors.exclude(type=Authenticator.Type.RECOVERY_CODES).exists():
        factors.delete()
    return bool(gone)
