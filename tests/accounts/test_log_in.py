"""Logging in and out: who gets in, where it leads, what a session's key does."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.test import Client

from accounts.models import Session, User
from tests.accounts.conftest import PASSWORD, guest_browser, logged_in, who

HOSTILE = [
    "https://evil.example.com/",
    "http://evil.example.com",
    "//evil.example.com",
    "///evil.example.com",
    "////evil.example.com/%2e%2e",
    "/\\evil.example.com",
    "\\\\evil.example.com",
    "https:evil.example.com",
    "https:/evil.example.com",
    "http:///evil.example.com",
    "http://testserver@evil.example.com/",
    "http://testserver.evil.example.com/",
    "\thttps://evil.example.com",
    "/\t/evil.example.com",
    "javascript:alert(1)",
    "data:text/html,x",
    "https://[::1]",
    "//[::1]/",
    "http://[",
    "https://[testserver]/",
    "https://testserver/games/",
]


def log_in(client: Client, login: str = "alice", password: str = PASSWORD, **more: Any) -> Any:
    return client.post("/accounts/login/", {"login": login, "password": password, **more})


@pytest.mark.parametrize("login", ["alice", "ALICE", " alice ", "alice@example.org", "Alice@Example.org"])
def test_a_name_or_an_address_gets_in_whatever_its_case(client: Client, alice: User, login: str) -> None:
    assert log_in(client, login).headers["Location"] == "/games/"
    assert who(client) == alice


def test_an_accented_name_gets_in_however_it_is_typed(client: Client, person: Callable[..., User]) -> None:
    zoe = person("Zoë")
    log_in(client, "ZOE\u0308")
    assert who(client) == zoe


@pytest.mark.parametrize("login", ["a1ice", "nobody-here", "", "x" * 5000, "al\x00ice"])
def test_another_name_does_not_get_in(client: Client, alice: User, login: str) -> None:
    assert log_in(client, login).status_code == 200
    assert who(client) is None


@pytest.mark.same_queries
@pytest.mark.parametrize("goal", HOSTILE)
def test_logging_in_never_leads_to_another_site(client: Client, alice: User, goal: str) -> None:
    assert log_in(client, next=goal).headers["Location"] == "/games/"


@pytest.mark.same_queries
@pytest.mark.parametrize("goal", HOSTILE)
def test_logging_out_never_leads_to_another_site(as_alice: Client, goal: str) -> None:
    assert as_alice.post("/accounts/logout/", {"next": goal}).headers["Location"] == "/"


@pytest.mark.same_queries
@pytest.mark.parametrize("goal", HOSTILE)
def test_who_is_logged_in_is_never_sent_to_another_site(as_alice: Client, goal: str) -> None:
    assert as_alice.get("/accounts/login/", {"next": goal}).headers["Location"] == "/games/"


def test_logging_in_leads_on_to_the_page_that_asked(client: Client, alice: User) -> None:
    assert log_in(client, next="/accounts/preferences/").headers["Location"] == "/accounts/preferences/"


def test_a_planted_session_key_is_not_the_one_logged_in(client: Client, alice: User) -> None:
    mallory = guest_browser()
    planted = mallory.cookies["sessionid"].value
    client.cookies["sessionid"] = planted
    log_in(client)
    assert client.cookies["sessionid"].value != planted
    assert who(mallory) != alice


def test_the_key_of_an_anonymous_session_changes_at_login(as_alice: Client, alice: User) -> None:
    client = as_alice
    client.post("/accounts/logout/")
    before = client.cookies["sessionid"].value
    log_in(client)
    assert client.cookies["sessionid"].value != before
    assert not Session.objects.filter(session_key=before).exists()


def test_the_cookie_lasts_a_year_and_scripts_cannot_read_it(as_alice: Client) -> None:
    cookie = as_alice.cookies["sessionid"]
    assert cookie["max-age"] == 365 * 24 * 3600
    assert cookie["httponly"] is True
    assert cookie["samesite"] == "Lax"


def test_logging_out_by_get_only_asks(as_alice: Client, alice: User) -> None:
    as_alice.get("/accounts/logout/")
    assert who(as_alice) == alice


def test_logging_out_kills_the_key(as_alice: Client) -> None:
    key = as_alice.cookies["sessionid"].value
    as_alice.post("/accounts/logout/")
    thief = Client()
    thief.cookies["sessionid"] = key
    assert thief.get("/accounts/").status_code == 302


def test_logging_out_here_logs_out_nowhere_else(as_alice: Client, alice: User) -> None:
    phone = logged_in("alice")
    as_alice.post("/accounts/logout/")
    assert who(phone) == alice


def test_a_closed_account_does_not_get_in(client: Client, alice: User) -> None:
    User.objects.update(is_active=False)
    assert log_in(client).headers["Location"] == "/accounts/inactive/"
    assert who(client) is None


def is_refused(answer: Any) -> bool:
    """Return whether the answer says that there were too many wrong passwords, to people and to programs."""
    says = "Too many wrong passwords. Wait five minutes, then try again." in answer.content.decode()
    assert says == (answer.status_code == 429)
    assert answer.headers.get("Retry-After", "") == ("300" if says else "")
    return says


def test_five_wrong_passwords_close_the_door_for_a_while(client: Client, alice: User) -> None:
    assert not any(is_refused(log_in(client, password="wrong")) for _ in range(5))
    assert is_refused(log_in(client))
    assert who(client) is None
    assert client.get("/accounts/login/").status_code == 200


@pytest.mark.parametrize("page", ["/accounts/delete/", "/accounts/reauthenticate/"])
def test_five_wrong_passwords_close_what_asks_for_one_again(as_alice: Client, page: str) -> None:
    for _ in range(5):
        as_alice.post(page, {"password": "wrong"})
    assert is_refused(as_alice.post(page, {"password": PASSWORD}))


def test_ten_wrong_passwords_from_one_address_close_it_for_all_names(client: Client, alice: User) -> None:
    for number in range(10):
        log_in(client, f"somebody-{number}", "wrong")
    assert is_refused(log_in(client))


def test_an_invented_forwarded_address_does_not_open_the_door(client: Client, alice: User) -> None:
    for number in range(10):
        data = {"login": f"somebody-{number}", "password": "wrong"}
        client.post("/accounts/login/", data, HTTP_X_FORWARDED_FOR=f"10.0.0.{number}")
    assert "Too many wrong passwords." in log_in(client).content.decode()


def test_behind_a_trusted_proxy_each_visitor_counts_alone(client: Client, alice: User, settings: Any) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    for number in range(10):
        data = {"login": f"somebody-{number}", "password": "wrong"}
        client.post("/accounts/login/", data, HTTP_X_FORWARDED_FOR="203.0.113.9, 198.51.100.7")
    answer = client.post(
        "/accounts/login/", {"login": "alice", "password": PASSWORD}, HTTP_X_FORWARDED_FOR="203.0.113.9, 198.51.100.8"
    )
    assert answer.status_code == 302


def test_without_an_address_an_old_account_still_gets_in_once_the_site_sends_mail(
    client: Client, person: Callable[..., User], mailing: None
) -> None:
    dave = person("dave")
    log_in(client, "dave")
    assert who(client) == dave


def test_an_address_that_is_not_confirmed_keeps_no_one_out(
    client: Client, person: Callable[..., User], mailing: None, mailoutbox: list[EmailMessage]
) -> None:
    carol = person("carol")
    User.objects.filter(pk=carol.pk).update(email="carol@example.org")
    log_in(client, "carol")
    assert who(client) == carol
    assert mailoutbox == []


@pytest.mark.parametrize("goal", ["nonsense", "account", "a.b", "%zz", "?x=1", "#here"])
def test_a_senseless_goal_breaks_nothing(as_alice: Client, client: Client, goal: str) -> None:
    assert as_alice.get("/accounts/login/", {"next": goal}).status_code == 302
    assert log_in(client, next=goal).status_code == 302
    assert as_alice.post("/accounts/logout/", {"next": goal}).status_code == 302
