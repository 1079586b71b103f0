"""Searches that no index serves: one request goes through so many games and no more; its page goes on from there."""

import html
import re
from datetime import timedelta
from urllib.parse import urljoin

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.models import Game
from games.pages.history import file
from games.queries.lists import search
from tests.conftest import LogIn
from tests.games.tables import NOON
from tests.games.views.lists import many

LOT = 10


@pytest.fixture(autouse=True)
def small_lots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "SEARCHED", LOT)


@pytest.fixture
def games(alice: User, bob: User) -> None:
    """Let Alice have 45 games, of which the other player left only the oldest."""
    for number in range(45):
        left = {"reason": "resigned"} if number == 0 else {}
        ended = NOON + timedelta(hours=number)
        many.finished(1, alice, bob, scores=(-4, -9), name=f"game-{number}", finished_at=ended, **left)


def shown(page: str) -> list[str]:
    return re.findall(">(game-[0-9]+)<", page)


def link(page: str, words: str) -> str:
    """Return where the link of these words leads, empty if there is none."""
    found = re.search(rf'href="([^"]*)"\s*>{words}</a>', page)
    return urljoin("/history/", html.unescape(found[1])) if found else ""


def get(client: Client, address: str) -> str:
    return client.get(address).content.decode()


@pytest.mark.usefixtures("games")
@pytest.mark.parametrize("query", ["result=others-left", "result=resigned", "place=3&result=won", "opponent=sage"])
def test_a_request_asks_the_same_however_many_games_there_are(query: str, alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    get(client, "/history/?result=won")
    with CaptureQueriesContext(connection) as asked:
        page = get(client, f"/history/?{query}")
    touching = [each["sql"] for each in asked.captured_queries if f"LIMIT {LOT + 1}" in each["sql"]]
    assert len(touching) == 2
    assert shown(page) == []
    assert "Nothing found so far" in page
    assert "No game matches" not in page


@pytest.mark.usefixtures("games")
def test_one_goes_on_looking_until_the_list_ends(alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    address, pages = "/history/?result=others-left", []
    while address:
        pages.append(get(client, address))
        address = link(pages[-1], "Go on looking")
    assert [shown(page) for page in pages] == [[], [], [], [], ["game-0"]]
    assert "We looked through your games back to" in pages[0]
    assert "more than" not in pages[0]


@pytest.mark.usefixtures("games")
def test_at_the_end_the_page_says_that_no_further_game_matches(alice: User, log_in: LogIn) -> None:
    Game.objects.filter(name="game-0").update(reason="played-out")
    Game.objects.filter(name="game-3").update(reason="resigned")
    client = log_in(alice)
    address, page = "/history/?result=resigned", ""
    while address:
        page = get(client, address)
        address = link(page, "Go on looking")
    assert "No further game matches" in page
    # Back from there, the games that were gone through are gone through again.
    assert link(page, "Newer")


@pytest.mark.usefixtures("games")
def test_the_way_back_finds_every_game_again(alice: User, log_in: LogIn) -> None:
    Game.objects.filter(name__in=["game-44", "game-12"]).update(reason="resigned")
    client = log_in(alice)
    seen, address = [], "/history/?oldest&result=others-left"
    for _ in range(9):
        page = get(client, address)
        seen += shown(page)
        address = link(page, "Go on looking") or link(page, "Newer")
        if not address:
            break
    assert [*dict.fromkeys(seen)] == ["game-0", "game-12", "game-44"]


@pytest.mark.usefixtures("games")
def test_an_empty_page_leads_back_to_the_game_it_began_beside(alice: User, log_in: LogIn) -> None:
    Game.objects.filter(name="game-44").update(reason="resigned")
    client = log_in(alice)
    first = get(client, "/history/?result=others-left")
    assert shown(first) == ["game-44"]
    second = get(client, link(first, "Go on looking"))
    assert shown(second) == []
    assert link(second, "Newer")
    assert shown(get(client, link(second, "Newest"))) == ["game-44"]


@pytest.mark.usefixtures("games")
def test_a_file_goes_through_the_games_it_may_hold_and_no_more(
    alice: User, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, address = log_in(alice), "/history/games.csv?result=others-left"
    assert "game-0" in client.get(address).getvalue().decode()
    monkeypatch.setattr(file, "MOST_EXPORTED", 20)
    with CaptureQueriesContext(connection) as asked:
        assert "game-0" not in client.get(address).getvalue().decode()
    assert sum(f"LIMIT {LOT + 1}" in each["sql"] for each in asked.captured_queries) == 3


def test_games_between_bots_on_a_board_are_looked_for_too(alice: User, bob: User, carol: User, log_in: LogIn) -> None:
    for number in range(15):
        variant = "duo" if number == 0 else "blockyou-2"
        ended = NOON + timedelta(hours=number)
        many.finished(1, bob, carol, name=f"game-{number}", is_of_bots=True, variant=variant, finished_at=ended)
    Game.objects.filter(is_of_bots=True).update(creator=alice)
    client = log_in(alice)
    first = get(client, "/history/?who=bots&variant=duo")
    assert shown(first) == []
    assert shown(get(client, link(first, "Go on looking"))) == ["game-0"]
