"""Every page of people can be opened, costs few queries, and refuses a post without its token."""

import re
from typing import Any

import pytest
from django.test import Client

from accounts.mail import unsubscribe
from accounts.models import User

STRANGERS = [
    "login",
    "signup",
    "password/reset",
    "password/reset/done",
    "password/reset/key/done",
    "confirm-email",
    "inactive",
]
MEMBERS = ["", "preferences", "delete", "email", "password/change", "logout", "reauthenticate"]
GUESTS = ["", "preferences", "delete", "claim", "login", "logout"]


def pages_of(paths: list[str]) -> list[str]:
    return [f"/accounts/{path}/".replace("//", "/") for path in paths]


def check_page(answer: Any) -> None:
    html = answer.content.decode()
    assert answer.status_code == 200
    assert "<h1>" in html
    assert not re.search(r"<style|<script(?![^>]*\b(src|type=\"application/json\"))|\sstyle=|\son\w+=", html)
    assert "placeholder=" not in html


@pytest.mark.django_db
@pytest.mark.parametrize("path", pages_of(STRANGERS))
def test_a_stranger_opens_the_page(client: Client, path: str) -> None:
    check_page(client.get(path))


@pytest.mark.django_db
@pytest.mark.parametrize("path", pages_of(["password/reset", "password/reset/done", "confirm-email"]))
def test_a_site_without_mail_speaks_of_none_that_was_sent(client: Client, path: str) -> None:
    html = client.get(path).content.decode()
    assert "This site sends no e-mails" in html
    assert "We sent" not in html


@pytest.mark.parametrize("path", pages_of(MEMBERS))
def test_a_member_opens_the_page(as_alice: Client, path: str) -> None:
    check_page(as_alice.get(path))


@pytest.mark.parametrize("path", pages_of(GUESTS))
def test_a_guest_opens_the_page(as_guest: Client, path: str) -> None:
    check_page(as_guest.get(path))


@pytest.mark.django_db
@pytest.mark.parametrize("path", pages_of(["", "preferences", "delete", "email", "password/change", "password/set"]))
def test_a_stranger_is_asked_to_log_in(client: Client, path: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/accounts/login/?next={path}")


@pytest.mark.parametrize("path", pages_of(["email", "password/change", "password/set", "signup"]))
def test_a_guest_is_asked_to_claim_first(as_guest: Client, path: str) -> None:
    assert as_guest.get(path).headers["Location"].partition("?")[0] == "/accounts/claim/"


@pytest.mark.parametrize("path", pages_of(["login", "signup"]))
def test_a_member_is_sent_on_from_the_entrance(as_alice: Client, path: str) -> None:
    assert as_alice.get(path).headers["Location"] == "/games/"


def test_a_member_has_nothing_to_claim(as_alice: Client) -> None:
    assert as_alice.get("/accounts/claim/").headers["Location"] == "/accounts/"


@pytest.mark.django_db
def test_a_stranger_signs_up_instead_of_claiming(client: Client) -> None:
    assert client.get("/accounts/claim/").headers["Location"] == "/accounts/signup/"


@pytest.mark.parametrize(
    "path",
    pages_of(
        ["preferences", "delete", "claim", "login", "signup", "logout", "email", "password/change", "password/reset"]
    ),
)
def test_a_post_without_its_token_is_refused(as_alice: Client, path: str) -> None:
    as_alice.handler.enforce_csrf_checks = True
    assert as_alice.post(path, {"theme": "dark"}).status_code == 403


@pytest.mark.parametrize("foreign", [{"HTTP_ORIGIN": "https://evil.example.com"}, {"HTTP_ORIGIN": "null"}])
def test_a_post_from_another_site_is_refused_even_with_the_token(as_alice: Client, foreign: dict[str, Any]) -> None:
    as_alice.handler.enforce_csrf_checks = True
    as_alice.get("/accounts/preferences/")
    token = as_alice.cookies["csrftoken"].value
    answer = as_alice.post("/accounts/preferences/", {"theme": "dark", "csrfmiddlewaretoken": token}, **foreign)
    assert answer.status_code == 403
    assert User.objects.get(username="alice").theme == "system"


def test_reading_pages_writes_nothing(as_alice: Client, django_assert_max_num_queries: Any) -> None:
    for path in pages_of(MEMBERS):
        with django_assert_max_num_queries(15) as queries:
            as_alice.get(path)
        assert not [query for query in queries if not query["sql"].startswith("SELECT")]


@pytest.mark.parametrize(
    ("path", "count"),
    [("/accounts/", 4), ("/accounts/preferences/", 3), ("/accounts/delete/", 4), ("/accounts/password/change/", 3)],
)
def test_a_page_costs_so_many_queries(as_alice: Client, path: str, count: int, django_assert_num_queries: Any) -> None:
    as_alice.get("/accounts/")
    with django_assert_num_queries(count):
        as_alice.get(path)


def test_the_unsubscribe_page_costs_one_query_for_a_stranger(
    alice: User, client: Client, django_assert_num_queries: Any
) -> None:
    path = unsubscribe.link(alice).removeprefix("http://127.0.0.1:8000")
    with django_assert_num_queries(1):
        check_page(client.get(path))


def test_what_an_account_has_for_programs_stands_under_one_heading(as_alice: Client, as_guest: Client) -> None:
    section = re.compile(r'<section aria-labelledby="for-programs">.*?</section>', re.DOTALL)
    (found,) = section.findall(as_alice.get("/accounts/").content.decode())
    assert re.findall(r"<h2[^>]*>(.*?)</h2>", found) == ["For programs"]
    assert re.findall(r'href="([^"]+)"', found) == ["/accounts/tokens/", "/webhooks/", "/accounts/bots/"]
    page = as_guest.get("/accounts/").content.decode()
    assert not section.findall(page)


def test_what_belongs_together_in_an_account_stands_under_one_heading(as_alice: Client) -> None:
    page = as_alice.get("/accounts/").content.decode()
    headings = ["Playing", "People", "Your account", "Rules and moderation", "For programs"]
    assert re.findall(r"<h2 id[^>]*>(.*?)</h2>", page) == headings
    (own,) = re.findall(r'<section aria-labelledby="own-account">.*?</section>', page, re.DOTALL)
    assert re.findall(r">([^<>]+)</a>", own) == ["Your name", "E-mail", "Password", "Log-in and devices", "Your data"]
