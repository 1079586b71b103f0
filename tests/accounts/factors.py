"""Second factors as tests have them: an authenticator app of their own, and a clock that stands still."""

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from allauth.mfa.utils import decrypt
from django.test import Client

from accounts.models import User
from tests.conftest import PASSWORD

CODES_ON, CODES_OFF = "/accounts/keys/codes/on/", "/accounts/keys/codes/off/"
BETWEEN, AGAIN, PAGE = "/accounts/keys/code/", "/accounts/keys/again/", "/accounts/keys/"
RECOVERY, RECOVERY_NEW = "/accounts/keys/recovery/", "/accounts/keys/recovery/new/"

Clock = Callable[[float], None]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Return a function that puts the clock on by so many seconds; it stands still in between."""
    now = [time.time() // 30 * 30 + 5]
    monkeypatch.setattr(time, "time", lambda: now[0])

    def put_on(seconds: float) -> None:
        now[0] += seconds

    return put_on


def code_of(secret: str, seconds: float = 0) -> str:
    """Return the code that an app whose clock is off by so many seconds shows."""
    return format_hotp_value(hotp_value(secret, int(time.time() + seconds) // 30))


def secret_of(person: User) -> str:
    """Return the secret of the person's one-time codes."""
    return decrypt(Authenticator.objects.get(user=person, type=Authenticator.Type.TOTP).data["secret"])


def with_codes(person: User) -> str:
    """Give the person one-time codes; return the secret."""
    secret = generate_totp_secret()
    TOTP.activate(person, secret)
    return secret


def show_password(client: Client) -> None:
    """Show again by the password who this is."""
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})


def show_factor(client: Client, person: User, at: float | None = None) -> None:
    """Have this browser of the person shown a second factor, just now by whatever clock there is, or at that moment."""
    row, session = Authenticator.objects.filter(user=person, type=Authenticator.Type.TOTP).get(), client.session
    shown = {
        "method": "mfa",
        "at": time.time() if at is None else at,
        "id": row.pk,
        "type": row.type,
        "reauthenticated": True,
    }
    session["account_authentication_methods"] = [shown]
    session["account_authentication_methods_user"] = str(person.pk)
    session.save()


def switch_on(client: Client) -> tuple[str, list[str]]:
    """Switch one-time codes on through the pages; return the secret, and the recovery codes."""
    secret, answer = page_that_switches_on(client)
    return secret, recovery_codes(answer)


def page_that_switches_on(client: Client) -> tuple[str, Any]:
    """Switch one-time codes on through the pages; return the secret, and the page that comes of it."""
    show_password(client)
    page = client.get(CODES_ON).content.decode()
    secret = re.findall(r'id="secret" class="input" value="(\w+)"', page)[0]
    return secret, client.post(CODES_ON, {"code": code_of(secret)}, follow=True)


def recovery_codes(answer: Any) -> list[str]:
    """Return the recovery codes that a page shows."""
    return re.findall(r"<li>\s*(\d{4} \d{4} \d{4})\s*</li>", answer.content.decode())


def at_the_code(name: str = "alice", password: str = PASSWORD, client: Client | None = None) -> Client:
    """Return a browser in which this person has typed the password, and is asked for a code."""
    client = client or Client()
    answer = client.post("/accounts/login/", {"login": name, "password": password})
    assert answer.headers["Location"] == BETWEEN
    return client
