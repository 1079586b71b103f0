"""What guests are called: a name that was drawn for them, until they choose one by the rules for everyone."""

from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from accounts import names
from accounts.models import User
from tests.accounts.conftest import who


def call(client: Client, name: str, **more: str) -> Any:
    return client.post("/accounts/name/", {"username": name, **more})


def test_a_guest_says_how_to_be_called_and_goes_on(as_guest: Client) -> None:
    assert call(as_guest, "Anna", next="/lobby/").headers["Location"] == "/lobby/"
    guest = who(as_guest)
    assert (guest.username, guest.is_guest) == ("Anna", True)
    assert not guest.lacks_own_name


def test_the_question_can_be_skipped(as_guest: Client) -> None:
    html = as_guest.get("/accounts/name/?next=/lobby/").content.decode()
    assert "What should we call you?" in html
    assert 'href="/lobby/"' in html


def test_a_guest_may_choose_again(as_guest: Client) -> None:
    call(as_guest, "Anna")
    call(as_guest, "ANNA")
    assert who(as_guest).username == "ANNA"
    call(as_guest, "Berta")
    assert who(as_guest).username == "Berta"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("A1ice", "This name is taken, or too similar to one that is."),
        ("Guest-abcdef", "This name is reserved."),
        ("Anonyme-abcdef", "This name is reserved."),
        ("An0nyme-abcdef", "This name is reserved."),
        ("n", "A name must have 2 to 20 characters."),
        ("<b>x</b>", "Use only Latin letters, digits and spaces."),
        ("", "This field is required."),
    ],
)
def test_a_name_that_cannot_be_says_why_and_changes_nothing(
    as_guest: Client, alice: User, name: str, sentence: str
) -> None:
    before = who(as_guest).username
    assert sentence in call(as_guest, name).content.decode()
    assert who(as_guest).username == before


def test_a_name_that_is_taken_meanwhile_ends_in_a_sentence(
    as_guest: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("accounts.forms.own.name_of", lambda person, name: name)
    before = who(as_guest).username
    html = call(as_guest, "alice").content.decode()
    assert "This name has just been taken." in html
    assert before in html
    assert who(as_guest).username == before


def test_strangers_are_asked_nothing(client: Client, db: None) -> None:
    assert call(client, "Anna").headers["Location"] == "/accounts/signup/"
    assert not User.objects.filter(username="Anna").exists()


@pytest.mark.parametrize("goal", ["https://evil.example.com/", "//evil.example.com", "javascript:alert(1)"])
def test_the_way_on_stays_on_this_site(as_guest: Client, goal: str) -> None:
    assert goal not in as_guest.get("/accounts/name/", {"next": goal}).content.decode()
    assert call(as_guest, "Anna", next=goal).headers["Location"] == "/accounts/"


@pytest.mark.parametrize(("language", "shown"), [("en", "Guest-abcdef"), ("fr", "Anonyme-abcdef")])
def test_a_given_name_is_shown_in_the_language_of_the_reader_at_the_same_address(
    language: str, shown: str, client: Client, db: None
) -> None:
    User.objects.create(username="Guest-abcdef", is_guest=True)
    page = client.get("/players/Guest-abcdef/", headers={"Accept-Language": language})
    assert f"<title>{shown} " in " ".join(page.content.decode().split()).replace("<title> ", "<title>")


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_chosen_name_is_shown_as_it_was_chosen(language: str) -> None:
    with translation.override(language):
        assert [names.as_shown(name) for name in ("Anna", "guest", "Guestine")] == ["Anna", "guest", "Guestine"]


def test_names_are_changed_so_often_and_no_more(as_guest: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accounts.naming.GUESTS_NAMES_AN_HOUR", 1)
    call(as_guest, "Anna")
    assert call(as_guest, "Berta").status_code == 429
    assert who(as_guest).username == "Anna"


def test_a_name_of_ones_own_is_kept_when_the_account_is_made(as_guest: Client) -> None:
    call(as_guest, "Anna")
    assert 'value="Anna"' in as_guest.get("/accounts/claim/").content.decode()
    as_guest.post("/accounts/claim/", {"username": "Anna", "password1": "corner to corner, always"})
    assert (who(as_guest).username, who(as_guest).is_guest) == ("Anna", False)


def test_the_account_page_leads_guests_and_members_to_the_name(as_guest: Client, as_alice: Client) -> None:
    for browser in (as_guest, as_alice):
        assert 'href="/accounts/name/"' in browser.get("/accounts/").content.decode()
