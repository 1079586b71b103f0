"""In the list of notices stands the board of each game that has begun, as its reader sees it, what is new outlined."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.actions.moves.resign import resign
from games.models import Game, Move, Notification, Occasion
from games.notifications.announce import announce_game
from tests.conftest import LogIn
from tests.games.play.pages import Element, read
from tests.games.tables import large_first, play_out, running
from tests.games.views.conftest import QueryCount
from tests.games.views.conftest import query_count as query_count

pytestmark = pytest.mark.django_db

#: The board of Duo has so many cells a side; the player of the first seat sees it turned by half a turn.
SIDE = 14


def tell(game: Game, user: User, occasion: str = Occasion.OVER, event: int = 0) -> None:
    Notification.objects.record(occasion, game, [user.pk], timezone.now(), event=event)
    announce_game(game.pk, now=timezone.now())


def rows(client: Client) -> list[Element]:
    return read(client.get("/notices/")).find_all("li", class_="list__row")


def cells_of(text: str, *, is_turned: bool) -> set[tuple[int, int]]:
    """Return the cells of a placement as columns and rows of the picture, from its upper left corner."""
    spots = [(ord(cell[0]) - ord("a"), int(cell[1:]) - 1) for cell in text.partition(":")[2].split(",")]
    return {(SIDE - 1 - x, y) if is_turned else (x, SIDE - 1 - y) for x, y in spots}


def outlined(row: Element) -> list[set[tuple[int, int]]]:
    """Return the cells of each piece that is outlined in the board of a row."""
    edges = row.find("svg", class_="thumb").find_all("path", class_="thumb__edge")
    found = (re.findall(r"M(\d+) (\d+)h2v2h-2z", edge["d"]) for edge in edges)
    return [{(int(x) // 2, int(y) // 2) for x, y in spots} for spots in found]


def played(*people: User, turns: int) -> Game:
    return play_out(running(*people, variant="duo"), 3, large_first, turns=turns)


@pytest.mark.parametrize("seat", [0, 1])
def test_each_sees_the_board_from_their_seat_and_what_the_other_has_placed_since(
    alice: User, bob: User, log_in: LogIn, seat: int
) -> None:
    game, user = played(alice, bob, turns=6), (alice, bob)[seat]
    tell(game, user)
    [row] = rows(log_in(user))
    last = Move.objects.get(game=game, number=6)
    # Bob has placed last himself: where nothing is new, it is the last piece of all.
    assert outlined(row) == [cells_of(last.placement, is_turned=seat == 0)]
    assert {path["data-colour"] for path in row.find_all("path") if "data-colour" in path.attributes} == {
        colour for (colour,) in Move.objects.filter(game=game).values_list("colour").distinct()
    }


def test_all_that_came_since_my_own_move_is_outlined(
    alice: User, bob: User, carol: User, dave: User, log_in: LogIn
) -> None:
    game = play_out(running(alice, bob, carol, dave), 3, large_first, turns=8)
    tell(game, alice)
    [row] = [row for row in rows(log_in(alice)) if "Game over" in row.text]
    edges = row.find_all("path", class_="thumb__edge")
    assert len(edges) == 3
    cells = [len(re.findall("M", edge["d"])) for edge in edges]
    placed = Move.objects.filter(game=game, number__gte=6).values_list("placement", flat=True)
    assert cells == [text.count(",") + 1 for text in placed]


def test_what_a_bot_placed_for_me_is_new_to_me(alice: User, bob: User, log_in: LogIn) -> None:
    game = played(alice, bob, turns=6)
    Move.objects.filter(game=game, number=5).update(bot="random")
    tell(game, alice)
    assert len(outlined(rows(log_in(alice))[0])) == 3


def test_the_last_board_of_a_finished_game_is_shown(alice: User, bob: User, log_in: LogIn) -> None:
    game = played(alice, bob, turns=4)
    resign(alice, game.slug)
    announce_game(game.pk, now=timezone.now() + timedelta(minutes=1))
    [row] = [row for row in rows(log_in(bob)) if row.find("a")["href"] == f"/games/{game.slug}/"]
    assert len(outlined(row)) == 1


def test_before_the_first_move_there_is_no_board(alice: User, bob: User, log_in: LogIn) -> None:
    tell(running(alice, bob), bob, Occasion.STARTED)
    [row] = rows(log_in(bob))
    assert not row.find_all("svg", class_="thumb")


def test_a_notice_shows_no_board_of_a_game_in_which_its_reader_does_not_sit(
    alice: User, bob: User, carol: User, log_in: LogIn
) -> None:
    game = play_out(running(alice, bob, is_public=False), 3, large_first, turns=4)
    tell(game, carol, Occasion.REMOVED)
    [row] = rows(log_in(carol))
    assert not row.find_all("svg", class_="thumb")


def test_more_boards_ask_no_more_queries(alice: User, bob: User, log_in: LogIn, query_count: QueryCount) -> None:
    browser = log_in(bob)
    tell(played(alice, bob, turns=3), bob)
    rows(browser)
    few = query_count(browser, "/notices/")
    for _ in range(4):
        tell(played(alice, bob, turns=3), bob)
    assert len(rows(browser)) == 5
    assert query_count(browser, "/notices/") == few
