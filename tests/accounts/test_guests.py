"""Guests: one tap, a name, a session of a year, and never by a GET."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.mail import EmailMessage
from django.db import IntegrityError
from django.test import Client, RequestFactory

from accounts import guests
from accounts.models import User
from tests.accounts.conftest import PASSWORD, logged_in, who


@pytest.mark.django_db
def test_one_tap_makes_a_guest_with_a_readable_name(client: Client) -> None:
    client.post("/play-bots/")
    guest = who(client)
    assert guest.is_guest
    assert guest.username.startswith("Guest-")
    assert not set(guest.username[6:]) & set("01loirmnvw")
    assert not guest.has_usable_password()


@pytest.mark.django_db
def test_a_guest_keeps_the_session_for_a_year(client: Client) -> None:
    client.post("/play-bots/")
    assert client.cookies["sessionid"]["max-age"] == 365 * 24 * 3600


def test_a_guest_who_taps_again_stays_the_same_guest(as_guest: Client) -> None:
    before = who(as_guest)
    as_guest.post("/play-bots/")
    assert who(as_guest) == before


def test_a_member_who_taps_stays_that_member(as_alice: Client, alice: User) -> None:
    as_alice.post("/play-bots/")
    assert who(as_alice) == alice


@pytest.mark.django_db
@pytest.mark.parametrize("method", ["get", "head", "options"])
def test_reading_never_makes_a_guest(client: Client, method: str) -> None:
    for path in ("/", "/play-bots/", "/lobby/", "/accounts/claim/"):
        getattr(client, method)(path)
    assert not User.objects.exists()


@pytest.mark.django_db
def test_the_function_itself_refuses_a_get() -> None:
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    with pytest.raises(ValueError, match="Only a POST"):
        guests.ensure_player(request)
    assert not User.objects.exists()


@pytest.mark.django_db
def test_the_guests_of_one_address_in_an_hour_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accounts.guests.GUESTS_AN_HOUR", 3)
    for _ in range(3):
        Client().post("/play-bots/")
    answer = Client().post("/play-bots/")
    assert answer.status_code == 429
    assert 0 < int(answer.headers["Retry-After"]) <= 3601
    assert "Too many attempts in a short time." in answer.content.decode()
    assert User.objects.count() == 3


@pytest.mark.django_db
def test_htmx_gets_the_limit_as_a_fragment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accounts.guests.GUESTS_AN_HOUR", 0)
    html = Client().post("/play-bots/", headers={"HX-Request": "true"}).content.decode()
    assert 'role="alert"' in html
    assert "<html" not in html


@pytest.mark.django_db
def test_a_name_that_is_taken_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    draws = iter(["aaaaaa", "aaaaaa", "bbbbbb"])
    monkeypatch.setattr("accounts.guests.get_random_string", lambda *args: next(draws))
    assert [guests.create_guest().username for _ in range(2)] == ["Guest-aaaaaa", "Guest-bbbbbb"]


@pytest.mark.django_db
def test_drawing_ends_when_every_name_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accounts.guests.get_random_string", lambda *args: "aaaaaa")
    guests.create_guest()
    with pytest.raises(IntegrityError):
        guests.create_guest()


def test_a_guest_has_no_password_to_log_in_with(as_guest: Client, client: Client) -> None:
    name = who(as_guest).username
    for password in ("", "!", "None", name):
        client.post("/accounts/login/", {"login": name, "password": password})
    assert who(client) is None


def test_every_page_offers_a_guest_to_claim(as_guest: Client) -> None:
    html = as_guest.get("/accounts/preferences/").content.decode()
    assert "You are playing as a guest." in html
    assert 'href="/accounts/claim/?next=' in html


def test_the_offer_is_not_made_to_members_and_strangers(as_alice: Client, client: Client) -> None:
    for browser in (as_alice, client):
        assert "You are playing as a guest." not in browser.get("/accounts/password/reset/").content.decode()


def test_a_guest_is_told_that_games_can_come_along(as_guest: Client) -> None:
    html = as_guest.get("/accounts/login/").content.decode()
    assert "you can bring the games of this guest along: you are asked first" in html
    assert '<a href="/accounts/claim/">Create one</a>' in html


def test_a_guest_is_told_what_logging_out_costs(as_guest: Client) -> None:
    assert "Guests cannot log back in" in as_guest.get("/accounts/logout/").content.decode()


def test_a_guest_may_log_in_to_another_account(as_guest: Client, alice: User) -> None:
    guest = who(as_guest)
    as_guest.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    assert who(as_guest) == alice
    assert User.objects.filter(pk=guest.pk, is_guest=True).exists()


def claim(client: Client, name: str = "carol", email: str = "", password: str = PASSWORD) -> Any:
    return client.post("/accounts/claim/", {"username": name, "email": email, "password1": password})


def test_claiming_keeps_the_row_and_the_browser_and_changes_the_key(as_guest: Client) -> None:
    guest, key = who(as_guest), as_guest.cookies["sessionid"].value
    assert claim(as_guest).headers["Location"] == "/accounts/"
    member = who(as_guest)
    assert (member.pk, member.username, member.is_guest) == (guest.pk, "carol", False)
    assert as_guest.cookies["sessionid"].value != key


def test_who_keeps_the_games_is_back_where_the_way_led_from(as_guest: Client) -> None:
    html = as_guest.get("/lobby/?show=2").content.decode()
    [way] = re.findall(r'href="(/accounts/claim/[^"]*)"', html)
    form = as_guest.get(way).content.decode().partition('action="/accounts/claim/"')[2].partition("</form>")[0]
    [goal] = re.findall(r'name="next" value="([^"]*)"', form)
    answer = as_guest.post("/accounts/claim/", {"username": "carol", "password1": PASSWORD, "next": goal})
    assert answer.headers["Location"] == "/lobby/?show=2"


@pytest.mark.parametrize("goal", ["https://evil.example.com/", "//evil.example.com", "javascript:alert(1)"])
def test_keeping_games_leads_to_no_other_site(as_guest: Client, goal: str) -> None:
    answer = as_guest.post("/accounts/claim/", {"username": "carol", "password1": PASSWORD, "next": goal})
    assert answer.headers["Location"] == "/accounts/"


def test_a_page_for_members_is_where_a_guest_is_once_the_games_are_kept(as_guest: Client) -> None:
    way = as_guest.get("/accounts/email/").headers["Location"]
    answer = as_guest.post(way, {"username": "carol", "password1": PASSWORD})
    assert answer.headers["Location"] == "/accounts/email/"


def test_a_claimed_account_can_be_logged_in_to_anywhere(as_guest: Client) -> None:
    claim(as_guest)
    assert who(logged_in("carol")) == who(as_guest)


@pytest.mark.parametrize(
    ("name", "password", "sentence"),
    [
        ("alice", PASSWORD, "This name is taken"),
        ("Guest-abc", PASSWORD, "name is reserved"),
        ("carol", "short", "too short"),
    ],
)
def test_a_claim_that_cannot_be_says_why_and_changes_nothing(
    as_guest: Client, alice: User, name: str, password: str, sentence: str
) -> None:
    answer = claim(as_guest, name, password=password)
    assert sentence in answer.content.decode()
    assert who(as_guest).is_guest


def test_two_claims_of_one_name_at_once_end_in_a_sentence(
    as_guest: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("accounts.models.User.is_name_taken", lambda name, but=None: False)
    answer = claim(as_guest, "alice")
    assert "This name has just been taken." in answer.content.decode()
    assert who(as_guest).is_guest


def test_with_mail_a_claim_stays_logged_in_and_confirms_later(
    as_guest: Client, mailing: None, mailoutbox: list[EmailMessage]
) -> None:
    claim(as_guest, email="carol@example.org")
    assert who(as_guest).username == "carol"
    assert mailoutbox[0].to == ["carol@example.org"]
    assert "carol@example.org, not confirmed yet" in as_guest.get("/accounts/").content.decode()


def test_with_mail_a_claim_needs_an_address(as_guest: Client, mailing: None) -> None:
    claim(as_guest)
    assert who(as_guest).is_guest
