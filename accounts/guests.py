"""Guests: players at once, with a name of their own and no password; the session is all they have.

Where somebody logs in to an account in a guest's browser, the log-in knows for an hour who the guest was.
"""

import time

from allauth.account.models import EmailAddress
from allauth.account.utils import get_next_redirect_url
from django.conf import settings
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.shortcuts import resolve_url
from django.utils.crypto import get_random_string

from accounts import limits, names
from accounts.models import User
from accounts.readers import languages
from accounts.signals import tell_renamed

#: From one address: a class behind it is many, and each of them is counted for themselves from then on.
GUESTS_AN_HOUR = 300
#: Where a session keeps which guest the browser was, and for how many seconds.
LEFT, LEFT_FOR = "accounts.left", 3600
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


def ensure_player(request: HttpRequest) -> User:
    """Return the person who makes the request, signed in as a new guest if they are anonymous.

    Raises: LimitReached.
    """
    return request.user if isinstance(request.user, User) else sign_in_guest(request)


def sign_in_guest(request: HttpRequest) -> User:
    """Return a new guest, logged in for a year under a new session key.

    Raises: LimitReached when this address made too many guests; ValueError for a GET, which changes nothing here.
    """
    if request.method != "POST":
        raise ValueError("Only a POST makes a guest.")
    limits.count_use(f"guest:{limits.client(request)}", GUESTS_AN_HOUR, 3600)
    guest = create_guest()
    login(request, guest, backend=BACKEND)
    return guest


def create_guest() -> User:
    """Return a new guest under a name such as Guest-k7x2qd, with no way to log in again."""
    for _ in range(4):
        try:
            with transaction.atomic():
                return _insert_guest()
        except IntegrityError:
            continue
    return _insert_guest()


def _insert_guest() -> User:
    guest = User(username=f"{names.GIVEN_PREFIX}{get_random_string(6, names.NAME_LETTERS)}", is_guest=True)
    guest.set_unusable_password()
    guest.save()
    return guest


def make_member(request: HttpRequest, guest: User, *, username: str, password: str | None, email: str = "") -> User:
    """Turn the guest into a member, in the same row, so that every game stays; return the member.

    Without a password (None) a passkey was kept before. The browser stays logged in under a new session key. The
    address, if any, has still to be confirmed. Not checked: whether name, password and address are allowed
    (`accounts.forms`).

    Raises: IntegrityError when the name has been taken in the meantime; nothing has changed then.
    """
    # Hashing takes long on purpose: no other write is to wait for it.
    hashed = make_password(password)
    with transaction.atomic():
        member = User.objects.select_for_update(no_key=True).get(pk=guest.pk)
        member.username, member.email, member.is_guest = username, email, False
        # Mails to come are to be in the language in which this was filled in.
        member.language = languages.reading()
        member.password = hashed
        member.save()
        tell_renamed(member.pk, member.name_key)
    update_session_auth_hash(request, member)
    request.user = member
    if email:
        address = EmailAddress.objects.add_email(request, member, email, confirm=settings.EMAIL_IS_SET)
        address.set_as_primary()
    return member


def note_guest(request: HttpRequest, guest: int) -> None:
    """Note that this log-in has taken the place of a guest's session. One query."""
    if User.objects.filter(pk=guest, is_guest=True, is_active=True).exists():
        request.session[LEFT] = {"guest": guest, "at": time.time()}


def guest_left(request: HttpRequest) -> User | None:
    """Return the guest whom this browser was before this log-in, None if none, or long ago. One query at most."""
    noted = request.session.get(LEFT)
    if not noted or time.time() - noted["at"] > LEFT_FOR:
        return None
    return User.objects.filter(pk=noted["guest"], is_guest=True, is_active=True).first()


def forget_guest(request: HttpRequest) -> None:
    """Remove the guest from this log-in."""
    request.session.pop(LEFT, None)


def way_on(request: HttpRequest) -> str:
    """Return the page of this site that `next` names, else where a log-in leads."""
    return get_next_redirect_url(request) or resolve_url(settings.LOGIN_REDIRECT_URL)
