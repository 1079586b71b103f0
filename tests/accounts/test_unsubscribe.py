"""The link that stops e-mails of a kind: a page with one button, or one click of the mail program."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client

from accounts.mail import unsubscribe
from accounts.models import User


@pytest.fixture
def path(alice: User) -> str:
    return urlsplit(unsubscribe.link(alice)).path


def wants() -> bool:
    return User.objects.get(username="alice").wants_turn_emails


def test_the_link_stands_under_the_public_address(alice: User, settings: Any) -> None:
    settings.PUBLIC_URL = "https://play.example.org"
    assert unsubscribe.link(alice).startswith("https://play.example.org/accounts/unsubscribe/")


@pytest.mark.parametrize("method", ["get", "head"])
def test_opening_the_link_stops_nothing(path: str, method: str) -> None:
    getattr(Client(), method)(path)
    assert wants()


def test_the_button_stops_them_and_says_so(path: str) -> None:
    page = Client().post(path)
    assert "They have been stopped." in page.content.decode()
    assert not wants()


def test_one_click_of_a_mail_program_needs_no_cookie_and_gets_no_redirect(path: str) -> None:
    mail_program = Client(enforce_csrf_checks=True)
    answer = mail_program.post(path, {"List-Unsubscribe": "One-Click"}, HTTP_ORIGIN="https://mail.example.com")
    assert answer.status_code == 200
    assert not wants()


def test_stopping_twice_is_stopping_once(path: str) -> None:
    Client().post(path)
    assert Client().post(path).status_code == 200
    assert not wants()


@pytest.mark.parametrize(
    "change", [lambda t: t[:-1], lambda t: "2" + t, lambda t: t.upper(), lambda t: "x", lambda t: "1:"]
)
def test_a_changed_link_does_nothing(path: str, change: Callable[[str], str]) -> None:
    token = path.rstrip("/").rpartition("/")[2]
    assert Client().post(f"/accounts/unsubscribe/{change(token)}/").status_code == 404
    assert wants()


def test_a_link_of_another_kind_does_nothing(alice: User) -> None:
    from django.core.signing import Signer

    assert Client().post(f"/accounts/unsubscribe/{Signer().sign(str(alice.pk))}/").status_code == 404
    assert wants()


def test_another_person_is_not_touched(path: str, bob: User) -> None:
    Client().post(path)
    assert User.objects.get(username="bob").wants_turn_emails


def test_the_link_of_a_closed_account_leads_nowhere(path: str) -> None:
    User.objects.update(is_active=False)
    assert Client().get(path).status_code == 404


def test_the_preference_switches_them_on_again(path: str, as_alice: Client, mailing: None) -> None:
    Client().post(path)
    as_alice.post("/notices/choices/", {"turn.email": "on"})
    assert wants()
