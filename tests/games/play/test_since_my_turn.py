"""What the play page shows of the moves since the viewer's last turn."""

import re
from math import dist

import pytest
from django.test import Client

from accounts.models import User
from games.actions.moves.resign import resign
from games.base import positions
from games.drawing import outline
from games.models import Game
from tests.conftest import LogIn
from tests.games.play.pages import Element, read
from tests.games.spoken.words import BOARDS, see, table_for
from tests.games.tables import fresh, large_first, play_out, running

pytestmark = pytest.mark.same_queries


def steps(page: Element) -> list[str]:
    return [step["data-step"] for step in page.find_all("g", class_="step")]


def numbers(page: Element) -> list[str]:
    return [number.text for number in page.find_all("g", class_="step__number")]


@pytest.fixture
def game(alice: User, bob: User, carol: User, dave: User) -> Game:
    return play_out(running(alice, bob, carol, dave), 3, large_first, turns=8)


def test_every_move_since_my_last_turn_is_outlined_and_numbered_and_mine_is_outlined_without(
    game: Game, alice: User, log_in: LogIn
) -> None:
    page = see(log_in(alice), game)
    assert steps(page) == ["5", "6", "7", "8"]
    assert numbers(page) == ["6", "7", "8"]
    assert [step["data-step"] for step in page.find_all("g", class_="step") if "data-mine" in step.attributes] == ["5"]
    assert len(page.find_all("path", class_="last")) == 4
    assert len(page.find_all("path", class_="piece")) == 8


def test_what_shows_them_again_begins_with_a_triangle_and_says_what_the_number_counts(
    game: Game, alice: User, log_in: LogIn
) -> None:
    link = see(log_in(alice), game).find("a", class_="say__since")
    assert link.find("use")["href"] == "#i-since"
    assert (link.text.split(), link["data-word"]) == (["3"], "moves")


def test_the_list_and_the_board_in_words_give_the_same_numbers(game: Game, alice: User, log_in: LogIn) -> None:
    page = see(log_in(alice), game)
    new = [line for line in page.find_all("li", class_="move") if "data-new" in line.attributes]
    assert [line.find(class_="move__number").text for line in new] == ["8", "7", "6"]
    label = page.find("svg", id="board")["aria-label"]
    assert re.findall(r"(\d+) (bob|carol|dave) placed", label) == [("6", "bob"), ("7", "carol"), ("8", "dave")]
    assert "Since your last turn: " in label


def test_who_has_just_moved_sees_their_own_move_and_nothing_to_show_again(
    game: Game, dave: User, log_in: LogIn
) -> None:
    page = see(log_in(dave), game)
    assert (steps(page), numbers(page)) == (["8"], [])
    assert not page.find_all("a", class_="say__since")


def test_who_has_not_moved_yet_sees_all_moves_numbered(alice: User, bob: User, carol: User, log_in: LogIn) -> None:
    game = play_out(running(alice, bob, carol), 3, large_first, turns=2)
    assert numbers(see(log_in(carol), game)) == ["1", "2"]


def test_a_watcher_sees_the_last_round(game: Game, eve: User, log_in: LogIn) -> None:
    for client in (Client(), log_in(eve)):
        page = see(client, game)
        assert numbers(page) == ["5", "6", "7", "8"]
        assert "Last round: " in page.find("svg", id="board")["aria-label"]


def test_who_has_resigned_watches_the_last_round(game: Game, bob: User, log_in: LogIn) -> None:
    resign(bob, game.slug)
    page = see(log_in(bob), fresh(game))
    assert numbers(page) == ["5", "6", "7", "8"]
    assert page.find("a", class_="say__since")["aria-label"] == "5 moves in the last round"


def test_a_turn_that_was_passed_for_me_shows_the_last_round(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob, variant="duo")
    while not (last := game.moves.last()) or not last.is_automatic:
        game = play_out(game, 5, turns=1)
    viewer = (alice, bob)[last.seat]
    round_of_two = [str(move.number) for move in list(game.moves.all())[-2:] if move.placement]
    assert numbers(see(log_in(viewer), game)) == round_of_two


def test_without_scripts_a_page_tells_these_moves(game: Game, alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    link = see(client, game).find("a", class_="say__since")
    assert link["href"] == f"/games/{game.slug}/away/"
    assert link["aria-label"] == "3 moves since your last turn"
    page = read(client.get(link["href"]))
    assert page.find("section", class_="game")["data-plays-from"] == "5"
    assert len(page.find("ol", class_="moves__list").find_all("li")) == 3


def test_the_link_keeps_the_secret_of_an_invitation(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob, is_public=False), 3, large_first, turns=2)
    page = read(Client().get(f"/games/{game.slug}/?token={game.invite_token}"))
    assert page.find("a", class_="say__since")["href"] == f"/games/{game.slug}/away/?token={game.invite_token}"


@pytest.mark.parametrize("variant", BOARDS)
def test_no_number_covers_a_glyph_or_another_number(
    variant: str, alice: User, bob: User, carol: User, dave: User
) -> None:
    game = play_out(table_for(variant, [alice, bob, carol, dave]), 5, large_first, turns=16)
    grid = positions.position_of(game).variant.grid
    plane = outline.plane_of(grid.lattice)
    middles = [(x, y + plane.row * grid.height) for x, y in map(plane.spot, grid.points)]
    places = [
        tuple(map(float, re.findall(r"[\d.]+", group["transform"])))
        for group in see(Client(), game).find_all("g")
        if "transform" in group.attributes and group.find_all("g", class_="step__number")
    ]
    assert places
    assert min(dist(place, middle) for place in places for middle in middles) > 6
    assert all(dist(one, other) > 8 for at, one in enumerate(places) for other in places[:at])
