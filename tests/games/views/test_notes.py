"""A player's notes about their games: kept, changed on several devices, seen by no one else, gone with the account."""

import html

import pytest
from django.test import Client

from accounts import erasure
from accounts.guests import create_guest
from accounts.models import User
from games.models import MAX_NOTE, Game, Note
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.tables import fresh, running
from tests.games.views.conftest import QueryCount

pytestmark = pytest.mark.django_db
PLAN = "Guard the corner at f7.\n\nThen <b>block</b> Red."


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    return running(alice, bob, is_public=True)


def save(browser: Client, game: Game, text: str, edition: int | str = 0) -> int:
    """Save a note, and return the status of the answer."""
    return browser.post(f"/games/{game.slug}/note/", {"text": text, "edition": edition}).status_code


def shown(browser: Client, game: Game) -> str:
    """Return what stands in the field of the note."""
    page = browser.get(f"/games/{game.slug}/note/").content.decode()
    # A line end after the tag is not part of the text.
    return html.unescape(page.partition("<textarea")[2].partition(">")[2].partition("</textarea>")[0]).removeprefix(
        "\n"
    )


def edition_of(browser: Client, game: Game) -> str:
    return read(browser.get(f"/games/{game.slug}/note/")).find("input", name="edition")["value"]


def test_a_note_is_there_on_the_next_visit_and_on_the_page_of_the_game_there_is_a_way_to_it(
    alice: User, game: Game, log_in: LogIn
) -> None:
    browser = log_in(alice)
    assert f"/games/{game.slug}/note/" in browser.get(f"/games/{game.slug}/").content.decode()
    assert shown(browser, game) == ""
    assert save(browser, game, PLAN.replace("\n", "\r\n")) == 302
    assert shown(log_in(alice), game) == PLAN
    page = browser.get(f"/games/{game.slug}/note/").content.decode()
    assert "<b>block" not in page


def test_no_one_else_sees_a_note_or_that_there_is_one(alice: User, bob: User, game: Game, log_in: LogIn) -> None:
    version = game.version
    before = log_in(bob).get(f"/games/{game.slug}/").content.decode()
    save(log_in(alice), game, PLAN)
    assert fresh(game).version == version
    assert shown(log_in(bob), game) == ""
    assert "block" not in read(log_in(bob).get(f"/games/{game.slug}/note/")).find("main").text
    assert len(log_in(bob).get(f"/games/{game.slug}/").content.decode()) == len(before)
    watcher = log_in(create_guest())
    assert watcher.get(f"/games/{game.slug}/note/").status_code == 403
    assert f"/games/{game.slug}/note/" not in watcher.get(f"/games/{game.slug}/").content.decode()


def test_what_was_written_on_another_device_meanwhile_is_not_lost(alice: User, game: Game, log_in: LogIn) -> None:
    phone, desk = log_in(alice), log_in(alice)
    assert save(phone, game, "From the phone.") == 302
    answer = desk.post(f"/games/{game.slug}/note/", {"text": "From the desk.", "edition": "0"})
    page = read(answer)
    assert answer.status_code == 409
    assert page.find("textarea").text.strip() == "From the desk."
    assert "From the phone." in page.text
    assert Note.objects.get().text == "From the phone."
    # What stands there now has been seen: it may be replaced.
    edition = page.find("input", name="edition")["value"]
    assert save(desk, game, "From both.", edition) == 302
    assert shown(phone, game) == "From both."


def test_a_double_tap_saves_once_and_a_note_that_was_emptied_is_told_from_a_new_one(
    alice: User, game: Game, log_in: LogIn
) -> None:
    browser = log_in(alice)
    assert [save(browser, game, "One."), save(browser, game, "One.")] == [302, 302]
    assert Note.objects.get().edition == 1
    assert save(browser, game, "", 1) == 302
    assert (Note.objects.get().text, edition_of(browser, game)) == ("", "2")
    # A tab that was open since the first edition would write over an emptied note.
    assert save(browser, game, "Again.", 1) == 409


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x" * (MAX_NOTE + 1), "A note has at most 1000 characters; this one has 1001."),
        ("a\x00b", "This note has characters that are no text."),
        ("a\x1b[31m", "This note has characters that are no text."),
    ],
)
def test_a_note_that_cannot_be_kept_is_refused_with_the_reason_and_what_was_typed(
    text: str, sentence: str, alice: User, game: Game, log_in: LogIn
) -> None:
    browser = log_in(alice)
    answer = browser.post(f"/games/{game.slug}/note/", {"text": text, "edition": "0"})
    assert answer.status_code == 400
    assert sentence in read(answer).text
    assert not Note.objects.exists()


def test_the_longest_note_is_counted_in_characters_and_not_in_bytes(alice: User, game: Game, log_in: LogIn) -> None:
    text = "é👩‍👧🟦" * (MAX_NOTE // 5)
    browser = log_in(alice)
    assert (len(text), save(browser, game, text)) == (MAX_NOTE, 302)
    assert shown(browser, game) == text


@pytest.mark.parametrize("edition", ["", "-1", "one", "1e3", "99999999999"])
def test_an_edition_that_is_none_counts_as_none(edition: str, alice: User, game: Game, log_in: LogIn) -> None:
    browser = log_in(alice)
    assert save(browser, game, "One.", edition) == 302
    assert save(browser, game, "Two.", edition) == 409
    assert Note.objects.get().text == "One."


def test_a_note_goes_with_the_account_and_not_with_the_opponents(
    alice: User, bob: User, game: Game, log_in: LogIn
) -> None:
    save(log_in(alice), game, "Hers.")
    save(log_in(bob), game, "His.")
    erasure.close_account(bob)
    assert [note.text for note in Note.objects.all()] == ["Hers."]
    assert shown(log_in(alice), game) == "Hers."


def test_the_page_of_a_note_asks_for_little_and_the_game_for_nothing_more(
    alice: User, game: Game, log_in: LogIn, query_count: QueryCount
) -> None:
    browser = log_in(alice)
    before = query_count(browser, f"/games/{game.slug}/")
    save(browser, game, PLAN)
    assert query_count(browser, f"/games/{game.slug}/") == before
    assert query_count(browser, f"/games/{game.slug}/note/") <= 6


def test_saving_too_often_is_refused_for_a_while(
    alice: User, game: Game, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.table.counting.NOTES_AN_HOUR", 1)
    browser = log_in(alice)
    assert [save(browser, game, "One."), save(browser, game, "Two.", 1)] == [302, 429]
    assert Note.objects.get().text == "One."
