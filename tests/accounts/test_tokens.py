"""The page on which people make tokens for programs."""

import re
from urllib.parse import quote

import pytest
from django.test import Client

from accounts.models import ApiToken, User
from accounts.tokens import MOST_TOKENS
from tests.accounts.conftest import PASSWORD
from tests.games.play.pages import read

PAGE = "/accounts/tokens/"
FORM = {"name": "my bot", "scopes": ["read", "play"]}


@pytest.fixture
def sure(as_alice: Client) -> Client:
    """Return alice's browser just after she has given her password."""
    as_alice.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return as_alice


def secret_in(page: str) -> str:
    found = re.search(r'value="(blockyou_[\w-]{32})"', page)
    return found[1] if found else ""


def test_a_new_token_is_shown_once_and_works(sure: Client) -> None:
    answer = sure.post(PAGE, FORM)
    secret = secret_in(answer.content.decode())
    shown = Client().get("/api/v1/me", headers={"Authorization": f"Bearer {secret}"})
    assert (answer.status_code, shown.json()["name"]) == (200, "alice")
    assert "no-store" in answer["Cache-Control"]
    again = sure.get(PAGE).content.decode()
    assert ("my bot" in again, secret_in(again), secret in again) == (True, "", False)


def test_the_page_says_when_a_token_was_used_last(sure: Client) -> None:
    secret = secret_in(sure.post(PAGE, FORM).content.decode())
    assert "never used" in sure.get(PAGE).content.decode()
    Client().get("/api/v1/me", headers={"Authorization": f"Bearer {secret}"})
    used = ApiToken.objects.get().used_at
    assert used is not None
    html = " ".join(sure.get(PAGE).content.decode().split())
    assert ("never used" in html, f"last used on {used:%-d %b %Y, %H:%M}" in html) == (False, True)


def test_the_page_says_what_each_token_may_do(sure: Client, alice: User) -> None:
    sure.post(PAGE, {**FORM, "scopes": ["tables", "chat"]})
    # Of another release: one that has a scope less, and one that has a scope more.
    row = {"user": alice, "scopes": ["tables", "rating"], "hint": "", "created_at": "2026-01-01T00:00Z"}
    ApiToken.objects.create(name="old", digest="1", has_chat_by_tables=True, **row)
    assert (
        lines_of(sure, "my bot")
        == lines_of(sure, "old")
        == ["Open tables, join, leave, and ask for a rematch", CHANNEL]
    )
    ApiToken.objects.update(has_chat_by_tables=False)
    assert CHANNEL not in lines_of(sure, "old")


CHANNEL = "Post the news of your games to a channel, or stop it"


def lines_of(browser: Client, name: str) -> list[str]:
    """Return what the page says that a token may do."""
    row = next(row for row in read(browser.get(PAGE)).find_all("li", class_="list__row") if name in row.text)
    return [line.text.strip() for line in row.find_all("span", class_="list__line")][1:-1]


def test_the_password_is_asked_for_first(as_alice: Client) -> None:
    for answer in (as_alice.get(PAGE), as_alice.post(PAGE, FORM)):
        assert answer.status_code == 302
        assert answer["Location"].startswith("/accounts/reauthenticate/")
    assert not ApiToken.objects.exists()


def test_guests_make_an_account_first(as_guest: Client) -> None:
    assert as_guest.get(PAGE)["Location"] == f"/accounts/claim/?next={quote(PAGE, safe='')}"


@pytest.mark.parametrize(
    "form", [{}, {"name": "x"}, {"name": "", "scopes": ["read"]}, {"name": "x", "scopes": ["all"]}]
)
def test_a_form_that_says_too_little_makes_none(sure: Client, form: dict[str, object]) -> None:
    answer = sure.post(PAGE, form)
    assert (answer.status_code, "errorlist" in answer.content.decode()) == (400, True)
    assert not ApiToken.objects.exists()


def test_there_are_twenty_at_most(sure: Client, alice: User) -> None:
    for number in range(MOST_TOKENS):
        ApiToken.objects.create(user=alice, name="old", digest=str(number), created_at="2026-01-01T00:00Z")
    answer = sure.post(PAGE, FORM)
    assert (answer.status_code, "Revoke one first" in answer.content.decode()) == (400, True)
    assert ApiToken.objects.count() == MOST_TOKENS


def test_its_owner_revokes_it_and_nobody_else(sure: Client, bob: User) -> None:
    sure.post(PAGE, FORM)
    token = ApiToken.objects.get()
    other = Client()
    other.force_login(bob)
    other.post(f"{PAGE}{token.pk}/revoke/")
    assert ApiToken.objects.exists()
    answer = sure.post(f"{PAGE}{token.pk}/revoke/", follow=True)
    assert "The token is revoked" in answer.content.decode()
    assert not ApiToken.objects.exists()


def test_a_new_password_ends_all_of_them(sure: Client) -> None:
    sure.post(PAGE, FORM)
    new = "diagonals touch, sides never"
    sure.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert not ApiToken.objects.exists()
