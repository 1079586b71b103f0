"""Wherever the name of a bot account is shown, it says that it is one, in both languages and for ears."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from accounts.bots.keeping import make_bot
from accounts.models import User
from games.actions.moves.resign import resign
from games.models import Game, Notification
from tests.conftest import LogIn
from tests.games.tables import ME, OPEN, invited, open_table, place, running

MARKS = {"en": "Fred (bot)", "fr": "Fred (robot)"}
#: The name, and what follows it up to the next word.
NAME = re.compile(r"Fred\b(?! \((?:bot|robot)\))")

Games = dict[str, Game]


@pytest.fixture
def fred(bob: User) -> User:
    return make_bot(bob, "Fred")


def tables(alice: User, other: User) -> Games:
    """Return a table of alice's and another player's in each state."""
    playing, over = running(alice, other, variant="duo"), running(alice, other, variant="duo")
    place(playing, "1:e10")
    place(over, "1:e10")
    resign(other, over.slug)
    return {
        "invited": open_table(alice, ME, invited(other.username), OPEN),
        "hosted": open_table(other, ME, OPEN, variant="duo"),
        "playing": playing,
        "over": over,
    }


PAGES = {
    "the lobby": "/lobby/",
    "a table to which it is invited": "/games/{invited}/",
    "its own table": "/games/{hosted}/",
    "the play page": "/games/{playing}/",
    "its live update": "/games/{playing}/board/",
    "a finished game": "/games/{over}/",
    "the replay": "/games/{over}/replay/",
    "the record": "/games/{over}/record.json",
    "the games of a player": "/games/",
    "the history": "/history/",
    "the history as a file": "/history/games.csv",
    "the profile of an opponent": "/players/alice/",
    "its own profile": "/players/Fred/",
    "the notices": "/notices/",
}


def words_of(page: str) -> str:
    """Return what a page shows: not the addresses in it."""
    return re.sub(r'\s(?:href|action|src|content|value)="[^"]*"', "", page).replace("&#x27;", "'")


@pytest.mark.parametrize("language", MARKS)
@pytest.mark.parametrize("page", PAGES)
def test_it_is_marked_on(page: str, language: str, alice: User, fred: User, log_in: LogIn) -> None:
    found = {kind: game.slug for kind, game in tables(alice, fred).items()}
    Notification.objects.update(is_due=False, is_listed=True)
    alice.language = language
    alice.save()
    shown = words_of(log_in(alice).get(PAGES[page].format(**found)).getvalue().decode())
    assert MARKS[language] in shown
    assert [shown[match.start() - 60 : match.end() + 20] for match in NAME.finditer(shown)] == []


@pytest.mark.parametrize("language", MARKS)
def test_it_is_marked_in_the_game_in_words(language: str, alice: User, fred: User, log_in: LogIn) -> None:
    game, browser = tables(alice, fred)["playing"], log_in(alice)
    alice.language = language
    alice.save()
    browser.post(f"/games/{game.slug}/mode/", {"spoken": "yes"})
    shown = words_of(browser.get(f"/games/{game.slug}/").content.decode())
    assert MARKS[language] in shown
    assert not NAME.search(shown)


def test_the_mark_of_bots_stands_beside_its_name_instead_of_letters(alice: User, fred: User, log_in: LogIn) -> None:
    game = tables(alice, fred)["playing"]
    shown = log_in(alice).get(f"/players/{fred.username}/").content.decode()
    assert 'd="M5 9h14v10H5z' in shown
    assert 'd="M5 9h14v10H5z' in log_in(alice).get(f"/games/{game.slug}/").content.decode()


def test_its_profile_names_its_operator_and_invites_it(alice: User, fred: User, log_in: LogIn) -> None:
    page = log_in(alice).get("/players/fred/").content.decode()
    assert re.search(r'A bot of\s+<a href="/players/bob/">bob</a>', page)
    assert "opponent=Fred" in page
    assert "A bot of" not in log_in(alice).get("/players/bob/").content.decode()


def test_the_form_of_a_new_game_takes_the_name_without_the_mark(alice: User, fred: User, log_in: LogIn) -> None:
    assert 'value="Fred"' in log_in(alice).get("/games/new/?variant=blockyou-2&opponent=Fred").content.decode()
    running(alice, fred)
    page = log_in(alice).get("/games/new/").content.decode()
    assert re.search(r'<option\s+value="Fred"\s+label="Fred \(bot\)"', page)


def test_its_games_are_found_by_its_name_as_those_of_people(alice: User, bob: User, fred: User, log_in: LogIn) -> None:
    over = tables(alice, fred)["over"]
    other = tables(alice, bob)["over"]
    page = log_in(alice).get("/history/?opponent=fre").content.decode()
    assert (f"/games/{over.slug}/" in page, f"/games/{other.slug}/" in page) == (True, False)
    assert "No game" not in page
    assert f"/games/{over.slug}/" not in log_in(alice).get("/history/?who=bots").content.decode()


@pytest.mark.parametrize("page", [page for page in PAGES.values() if "Fred" not in page])
def test_its_name_costs_no_query_more_than_a_persons(
    page: str, alice: User, carol: User, fred: User, log_in: LogIn, query_count: Callable[[Client, str], int]
) -> None:
    browser, costs = log_in(alice), []
    for other in (carol, fred):
        Game.objects.all().delete()
        found = {kind: game.slug for kind, game in tables(alice, other).items()}
        costs.append(query_count(browser, page.format(**found)))
    assert costs[0] == costs[1]


def test_people_are_not_marked(alice: User, bob: User, log_in: LogIn) -> None:
    found = tables(alice, bob)
    for page in ("/lobby/", "/games/", f"/games/{found['playing'].slug}/", "/players/bob/"):
        shown = words_of(log_in(alice).get(page).content.decode())
        assert ("bob" in shown, "(bot)" in shown) == (True, False)
