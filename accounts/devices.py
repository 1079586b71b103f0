"""Devices on which a person has logged in before: what strangers guess does not lock them out.

Wrong passwords are counted by account, so anyone could keep a person out by guessing. A device the person has logged in
on is counted by itself: it carries a signed cookie with a number of its own and the people it knows.
"""

import secrets
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

from accounts.models import User

SALT = "accounts.devices"

#: How many people a shared device remembers; the one whose last login is oldest is forgotten first.
MOST_PEOPLE = 5


def remember_device(request: HttpRequest, answer: HttpResponse, person: User) -> None:
    """Remember on the device, in a cookie, that this person has logged in on it."""
    device, people = _known(request)
    people = [*(pk for pk in people if pk != person.pk), person.pk][-MOST_PEOPLE:]
    value = signing.dumps([device or secrets.token_hex(8), people], salt=SALT)
    age, is_secure = settings.SESSION_COOKIE_AGE, settings.IS_HTTPS
    answer.set_cookie(settings.DEVICE_COOKIE_NAME, value, max_age=age, secure=is_secure, httponly=True, samesite="Lax")


def device_of(request: HttpRequest, person: User) -> str:
    """Return the number of the device if this person has logged in on it, else an empty text."""
    device, people = _known(request)
    return device if person.pk in people else ""


def _known(request: HttpRequest) -> tuple[str, list[int]]:
    """Return the device's number and the people it knows, the last one last; nothing for a cookie that is not ours."""
    cookie = request.COOKIES.get(settings.DEVICE_COOKIE_NAME, "")
    try:
        value: Any = signing.loads(cookie, salt=SALT, max_age=settings.SESSION_COOKIE_AGE)
    except signing.BadSignature:
        return "", []
    device, people = value
    return device, people
