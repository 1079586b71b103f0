"""One score on every page of a game: how many of its cells a seat has placed. Points stand in the table of the end."""

import json
import re

import pytest
from django.test import Client

from accounts.models import User
from games.base.positions import position_of
from games.management.demo import WRITTEN_DOWN
from games.models import Game
from games.notifications.posts import channel_text
from games.rules.record import PASSED
from games.values import Occasion
from tests.conftest import LogIn
from tests.games.play.pages import Element, read
from tests.games.recorded import finished
from tests.games.tables import ME, bot, declare_pass, open_table, place, play_out, running

pytestmark = pytest.mark.django_db

MINUS = "\N{MINUS SIGN}"


def placed(game: Game, *seats: str) -> list[str]:
    """Return how much the colours of these numbers have placed, as pages write it."""
    board = position_of(game).board
    return [f"{sum(map(board.count, seat))} of {89 * len(seat)}" for seat in seats]


def counts(page: Element) -> list[str]:
    """Return how each seat stands beside the board."""
    seats = page.find_all("li", class_="player")
    return [" ".join(seat.find(class_="player__count").text.split()).partition(" ·")[0] for seat in seats]


@pytest.mark.parametrize("page", ["", "replay/", "analysis/"])
def test_a_running_game_its_replay_and_its_analysis_say_how_much_is_placed(
    page: str, alice: User, bob: User, log_in: LogIn
) -> None:
    game = play_out(running(alice, bob, variant="duo"), turns=6)
    shown = read(log_in(alice).get(f"/games/{game.slug}/{page}"))
    told = [re.match(r"\d+ of \d+", count) for count in counts(shown)]
    assert [match and match.group() for match in told] == placed(game, "0", "1")
    assert MINUS + "8" not in shown.text


def test_every_leaf_of_a_replay_counts_what_was_placed_by_then(alice: User, bob: User) -> None:
    game = running(alice, bob, variant="duo")
    place(game, "V5:e10,f10,g10,e11,e12")
    page = read(Client().get(f"/games/{game.slug}/replay/"))
    leaves = json.loads(page.find("script", id="leaves").text)
    assert [leaf[1:] for leaf in leaves] == [[0, 0], [5, 0]]
    assert [seat.find(data_placed="").text for seat in page.find_all("li", class_="player")] == ["5", "0"]


def test_after_the_end_players_and_lists_say_the_same_and_the_table_has_the_points(
    alice: User, bob: User, log_in: LogIn
) -> None:
    game = finished(alice, bob)
    assert position_of(game).is_over
    client, expected = log_in(alice), placed(game, "02", "13")
    page = read(client.get(f"/games/{game.slug}/"))
    assert counts(page) == expected
    totals = [row.find_all("td")[-1].text for row in page.find_all("tr", class_="result__player")]
    scores = sorted(position_of(game).seat_scores(), reverse=True)
    assert totals == [str(score).replace("-", MINUS) for score in scores]
    history = read(client.get("/history/"))
    assert [one.text for one in history.find_all(class_="seats__score")] == expected


def test_lists_count_the_bonus_for_having_placed_everything_beside_the_cells_as_the_end_does(
    alice: User, bob: User, log_in: LogIn
) -> None:
    game = running(alice, bob)
    for text in WRITTEN_DOWN["Every last piece"]:
        place(game, text) if text != PASSED else declare_pass(game)
    client = log_in(alice)
    [count] = read(client.get(f"/games/{game.slug}/")).find_all(class_="count")
    ends = [" ".join(one.text.split()) for one in count.find_all("li")]
    [row] = read(client.get("/history/")).find_all("li", class_="list__row")
    assert "you won by 107 points" in row.text
    lists = [" ".join(one.text.split()) for one in row.find_all(class_="seats__score")]
    assert lists == ["174 of 178 +20 Bonus", "87 of 178"]
    assert all(one.endswith(other) for one, other in zip(ends, lists, strict=True))
    french = read(client.get("/history/", headers={"Accept-Language": "fr"})).find_all(class_="seats__score")
    assert [" ".join(one.text.split()) for one in french] == ["174 sur 178 +20 Bonus", "87 sur 178"]


def test_the_channel_of_a_group_says_it_too(alice: User, bob: User) -> None:
    game = finished(alice, bob)
    text = channel_text(game, Occasion.OVER)
    assert all(f"{name} {said}" in text for name, said in zip(("alice", "bob"), placed(game, "02", "13"), strict=True))


def labels(page: Element) -> list[str]:
    """Return what a screen reader says of each button that shows a seat's pieces."""
    return [button["aria-label"] for button in page.find_all("button", class_="player__open")]


def test_what_shows_the_pieces_of_a_seat_begins_with_its_players_name_and_speaks_of_no_points(
    alice: User, bob: User, carol: User, log_in: LogIn
) -> None:
    game = running(alice, bob, carol, variant="classic-3")
    people = [f"{name}: pieces left" for name in ("You", "bob", "carol")]
    assert labels(read(log_in(alice).get(f"/games/{game.slug}/"))) == [*people, "Green: pieces left"]
    against = open_table(alice, ME, bot("random"), bot("random"), bot("random", 2), variant="blockyou-4")
    told = labels(read(log_in(alice).get(f"/games/{against.slug}/")))
    assert told == [f"{name}: pieces left" for name in ("You", "Random bot 1", "Random bot 2", "Random bot 3")]
    french = read(Client(headers={"Accept-Language": "fr"}).get(f"/games/{game.slug}/"))
    assert labels(french)[0] == "alice\u00a0: pièces restantes"
