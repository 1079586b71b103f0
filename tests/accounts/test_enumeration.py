"""Whether an account exists is told to nobody: the same status, the same words, for an address that has one or not."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import PASSWORD, guest_browser


def told(answer: Any, *secrets: str) -> Any:
    """Return status, place and words of an answer, without what was typed, without tokens and the reader's face."""
    html = re.sub(
        r'name="csrfmiddlewaretoken" value="[^"]+"|data-login="[^"]*"|X-CSRFToken": "[^"]+"',
        "",
        answer.content.decode(),
    )
    html = re.sub(r'<span\s+class="face".*?</span>', "", html, flags=re.DOTALL)
    for secret in secrets:
        html = html.replace(secret, "…")
    return answer.status_code, answer.headers.get("Location"), html


@pytest.mark.parametrize(("known", "unknown"), [("alice", "nobody"), ("alice@example.org", "nobody@example.org")])
def test_a_wrong_password_and_an_unknown_login_are_told_alike(alice: User, known: str, unknown: str) -> None:
    answers = [
        told(Client().post("/accounts/login/", {"login": login, "password": "wrong"}), login)
        for login in (known, unknown)
    ]
    assert answers[0] == answers[1]


def test_asking_for_a_reset_tells_nothing(alice: User, mailing: None, mailoutbox: list[EmailMessage]) -> None:
    answers = []
    for email in ("alice@example.org", "nobody@example.org"):
        client = Client()
        first = told(client.post("/accounts/password/reset/", {"email": email}), email)
        answers.append((first, told(client.get("/accounts/password/reset/done/"), email)))
    assert answers[0] == answers[1]
    assert [mail.to for mail in mailoutbox] == [["alice@example.org"], ["nobody@example.org"]]
    assert "/password/reset/key/" not in mailoutbox[1].body


def test_signing_up_with_a_known_address_tells_nothing_but_to_its_owner(
    alice: User, mailing: None, mailoutbox: list[EmailMessage]
) -> None:
    answers = []
    for name, email in (("carol", "alice@example.org"), ("dave", "dave@example.org")):
        client = Client()
        data = {"username": name, "email": email, "password1": PASSWORD}
        first = told(client.post("/accounts/signup/", data), email)
        answers.append((first, told(client.get("/accounts/confirm-email/"), email)))
    assert answers[0] == answers[1]
    assert "already has an account" in mailoutbox[0].body


def test_claiming_with_a_known_address_tells_nothing(
    alice: User, mailing: None, mailoutbox: list[EmailMessage]
) -> None:
    answers = []
    for name, email in (("carol", "alice@example.org"), ("dave", "dave@example.org")):
        client = guest_browser()
        data = {"username": name, "email": email, "password1": PASSWORD}
        first = told(client.post("/accounts/claim/", data), email)
        answers.append((first, told(client.get("/accounts/"), email, name)))
    assert answers[0] == answers[1]


def test_changing_to_a_known_address_tells_nothing(
    person: Callable[..., User], mailing: None, mailoutbox: list[EmailMessage]
) -> None:
    person("alice", "alice@example.org")
    answers = []
    for name, email in (("carol", "alice@example.org"), ("dave", "dave@example.net")):
        person(name, f"{name}@example.org")
        client = Client()
        client.post("/accounts/login/", {"login": name, "password": PASSWORD})
        client.post("/accounts/reauthenticate/", {"password": PASSWORD})
        first = told(client.post("/accounts/email/", {"email": email, "action_add": ""}), email)
        answers.append((first, told(client.get("/accounts/email/"), email, name)))
    assert answers[0] == answers[1]


@pytest.mark.django_db
def test_an_unsubscribe_link_of_nobody_and_a_forged_one_are_told_alike(client: Client, alice: User) -> None:
    from accounts.mail.unsubscribe import SIGNER

    answers = [client.post(f"/accounts/unsubscribe/{token}/").status_code for token in (SIGNER.sign("999"), "1:forged")]
    assert answers == [404, 404]
