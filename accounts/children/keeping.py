"""Children's accounts: who may make one, how a child gets in, and how the account becomes one like all others.

Whom a child may meet is said in `games.base.children`.
"""

import hashlib
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import QuerySet

from accounts import limits, signals
from accounts.models import ChildLink, User
from accounts.sessions import end_sessions

#: How many children's accounts a person may keep at a time, and how many they may make in a day.
MOST_CHILDREN, CHILDREN_A_DAY = 10, 15
#: For how long a link waits for a child's device.
LINK_LASTS = timedelta(hours=24)


class NoMoreChildren(Exception):  # noqa: N818  (what is the case, as the form says it)
    """The person keeps as many children's accounts as one may keep, or may keep none."""


def children_of(guardian: User) -> Sequence[User]:
    """Return the children's accounts of a person that are not closed, the oldest first. One query."""
    return list(User.objects.filter(guardian=guardian, erased_at=None).order_by("pk"))


def may_have_children(user: User) -> bool:
    """Return whether a person can be a guardian: an account of a grown-up's own, that is reached or held by more than
    a password. That is a passkey, or a confirmed address, or any address where the site sends no mail.

    Two queries at most.
    """
    if user.is_guest or user.is_bot or user.is_child:
        return False
    addresses = EmailAddress.objects.filter(user=user)
    if (addresses.filter(verified=True) if settings.EMAIL_IS_SET else addresses).exists():
        return True
    return Authenticator.objects.filter(user=user, type=Authenticator.Type.WEBAUTHN).exists()


def make_child(guardian: User, name: str, password: str = "") -> User:
    """Return a new child's account of that name; without a password it is entered by a link alone (`make_child_link`).

    The guardian's row is locked: no more are made at once than there may be, and none for a closed account. Not
    checked: whether name and password are allowed (`accounts.forms.children`).

    Raises:
        NoMoreChildren: the person has as many as there may be, or may have none.
        IntegrityError: the name has been taken in the meantime.
        LimitReached: too many were made today.

    """
    # Hashing takes long on purpose: no other write is to wait for it.
    hashed = make_password(password or None)
    with transaction.atomic():
        person = User.objects.select_for_update(no_key=True).get(pk=guardian.pk)
        if not person.is_active or not may_have_children(person) or len(children_of(person)) >= MOST_CHILDREN:
            raise NoMoreChildren
        limits.count_use(f"children:{person.pk}", CHILDREN_A_DAY, 24 * 3600)
        child = User(username=name, guardian=person, wants_turn_emails=False, language=person.language)
        child.time_zone, child.password = person.time_zone, hashed
        child.save()
        return child


def make_child_link(child: User, now: datetime) -> str:
    """Return the secret of a new link that logs one device of the child in; an earlier one leads nowhere any more."""
    secret = secrets.token_urlsafe(24)
    kept = {"digest": _digest(secret), "until": now + LINK_LASTS}
    ChildLink.objects.update_or_create(child=child, defaults=kept)
    return secret


def child_of_link(secret: str, now: datetime) -> User | None:
    """Return the child whom a link lets in, None where it is used up, too old or none. One query."""
    link = _links(secret, now).first()
    return None if link is None else link.child


def use_link(secret: str, now: datetime) -> User | None:
    """Return the child whom a link lets in, and end the link: of two devices at once one gets in."""
    with transaction.atomic():
        link = _links(secret, now).first()
        if link is None or not ChildLink.objects.filter(pk=link.pk, digest=link.digest).delete()[0]:
            return None
        return link.child


def _links(secret: str, now: datetime) -> QuerySet[ChildLink]:
    found = ChildLink.objects.filter(digest=_digest(secret), until__gt=now, child__is_active=True)
    return found.exclude(child__guardian=None).select_related("child")


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def log_out_everywhere(child: User) -> None:
    """End all log-ins of a child, a link that waits, and all passkeys and codes: whoever has added one stays out."""
    with transaction.atomic():
        Authenticator.objects.filter(user=child).delete()
        ChildLink.objects.filter(child=child).delete()
        end_sessions(child.pk)
        signals.tell_sessions_ended(child.pk)


def set_childs_password(child: User, password: str) -> None:
    """Give a child another password, and log it out everywhere. Not checked: whether the password is allowed."""
    hashed = make_password(password)
    with transaction.atomic():
        if User.objects.filter(pk=child.pk, guardian=child.guardian_id).update(password=hashed):
            log_out_everywhere(child)


def switch_phrases(child: User, *, says_phrases: bool) -> None:
    """Allow or forbid a child the ready phrases at its tables."""
    User.objects.filter(pk=child.pk, guardian=child.guardian_id).update(says_phrases=says_phrases)


@transaction.atomic
def release_child(guardian: User, child: User) -> bool:
    """Make a child's account one like all others, which no one else keeps; return whether it was this guardian's.

    The people whom it was allowed to meet are forgotten (`signals.grown_up`); the tables of the child stay sheltered.
    """
    # In the order of their keys, as everywhere.
    rows = User.objects.select_for_update(no_key=True).filter(pk__in=(guardian.pk, child.pk)).order_by("pk")
    person = next((row for row in rows if row.pk == child.pk and row.guardian_id == guardian.pk), None)
    if person is None:
        return False
    person.guardian, person.says_phrases = None, True
    person.save(update_fields=["guardian", "says_phrases"])
    ChildLink.objects.filter(child=person).delete()
    signals.grown_up.send(User, user=person)
    return True
