"""Who reads which language: the preference first, then what a visitor chose, then what the browser asks for."""

import re
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from accounts.guests import create_guest
from accounts.models import User
from tests.conftest import PASSWORD, LogIn
from tests.games.play.pages import read
from tests.games.tables import running

pytestmark = pytest.mark.django_db

FRENCH = {"Accept-Language": "fr-CA,fr;q=0.9,en;q=0.5"}
ENGLISH = {"Accept-Language": "en-GB,en"}


def choose(client: Client, code: str, **more: str) -> Any:
    return client.post("/accounts/language/", {"language": code, "next": "/rules/", **more})


def language(client: Client, path: str = "/rules/", **asked: Any) -> str:
    """Return the language of a page: what it says of itself, and what the answer says."""
    answer = client.get(path, **asked)
    assert re.search(rf'<html\s+lang="{answer.headers["Content-Language"]}"', answer.content.decode())
    return str(answer.headers["Content-Language"])


@pytest.mark.parametrize(
    ("asked", "found"),
    [("fr", "fr"), ("fr-BE,en;q=0.2", "fr"), ("en,fr;q=0.9", "en"), ("de", "en"), ("", "en"), ("§", "en")],
)
def test_a_visitor_reads_what_the_browser_asks_for(client: Client, asked: str, found: str) -> None:
    assert language(client, headers={"Accept-Language": asked}) == found


def test_a_page_says_what_its_language_hangs_on(client: Client) -> None:
    kept = client.get("/rules/").headers["Vary"]
    assert {"Accept-Language", "Cookie"} <= {name.strip() for name in kept.split(",")}


def test_a_visitor_chooses_in_the_footer_and_comes_back(client: Client) -> None:
    html = client.get("/rules/", headers=ENGLISH).content.decode()
    assert re.search(r'<button[^>]*\sname="language"\s+value="fr"\s+lang="fr"\s*>\s*Français\s*</button>', html)
    answer = choose(client, "fr")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/rules/")
    assert language(client, headers=ENGLISH) == "fr"
    assert choose(client, "en").cookies[settings.LANGUAGE_COOKIE_NAME]["httponly"]
    assert language(client, headers=FRENCH) == "en"


def test_the_way_for_developers_looks_like_the_languages_beside_it(client: Client) -> None:
    foot = read(client.get("/rules/")).find("footer")
    languages = [button["class"] for button in foot.find_all("button", name="language")]
    assert languages == [foot.find("a", href="/api/")["class"]] * len(languages)
    assert languages


def test_whoever_is_logged_in_keeps_the_choice_everywhere(alice: User, log_in: LogIn) -> None:
    choose(log_in(alice), "fr")
    assert language(log_in(alice), headers=ENGLISH) == "fr"


def test_a_guest_keeps_the_choice_too(log_in: LogIn) -> None:
    guest = create_guest()
    choose(log_in(guest), "fr")
    guest.refresh_from_db()
    assert guest.language == "fr"


def test_the_preference_wins_over_the_cookie_and_the_browser(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    browser.cookies[settings.LANGUAGE_COOKIE_NAME] = "en"
    User.objects.update(language="fr")
    assert language(browser, headers=ENGLISH) == "fr"


def test_as_my_browser_means_it(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    choose(browser, "fr")
    initial = browser.get("/accounts/preferences/").context["form"].initial
    kept = {name: value for name, value in initial.items() if value is not None}
    browser.post("/accounts/preferences/", {**kept, "language": ""})
    assert language(browser, headers=ENGLISH) == "en"
    assert language(browser, headers=FRENCH) == "fr"


@pytest.mark.parametrize("code", ["", "de", "xx", "../fr", "fr" * 999, "fr\0"])
def test_a_language_that_the_site_is_not_written_in_changes_nothing(alice: User, log_in: LogIn, code: str) -> None:
    browser = log_in(alice)
    answer = choose(browser, code)
    assert answer.status_code == 302
    assert settings.LANGUAGE_COOKIE_NAME not in answer.cookies
    assert User.objects.get().language == ""


@pytest.mark.parametrize(
    "place", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", "http:///evil.example"]
)
def test_choosing_leads_to_no_other_site(client: Client, place: str) -> None:
    assert choose(client, "fr", next=place).headers["Location"] == "/"


def test_signing_up_keeps_the_language_it_was_done_in(client: Client) -> None:
    form = {"username": "zoe", "password1": PASSWORD}
    client.post("/accounts/signup/", form, headers=FRENCH)
    assert User.objects.get().language == "fr"


def test_claiming_an_account_keeps_the_language_it_was_done_in(log_in: LogIn) -> None:
    form = {"username": "zoe", "password1": PASSWORD}
    log_in(create_guest()).post("/accounts/claim/", form, headers=FRENCH)
    assert User.objects.get().language == "fr"


def test_a_page_that_was_sent_in_another_language_is_sent_anew(alice: User, bob: User, log_in: LogIn) -> None:
    browser, path = log_in(alice), f"/games/{running(alice, bob).slug}/board/"
    tag = browser.get(path, headers=ENGLISH).headers["ETag"]
    assert browser.get(path, headers={**ENGLISH, "If-None-Match": tag}).status_code == 304
    assert browser.get(path, headers={**FRENCH, "If-None-Match": tag}).status_code == 200
