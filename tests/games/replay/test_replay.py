"""The page that turns a game move by move: its steps, its numbers, and what is passed on from it."""

import random

import pytest
from django.test import Client

from accounts.models import User
from games.actions.moves.resign import resign
from games.base import positions
from games.models import Game
from tests.conftest import LogIn
from tests.games.play.pages import Element, read
from tests.games.tables import ME, OPEN, advance, bot, open_table, play_out, running

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: User) -> Game:
    """Return a finished game of two."""
    return play_out(open_table(alice, ME, bot(), variant="duo", name="At noon"))


def page_of(game: Game, move: int | None = None, client: Client | None = None) -> Element:
    query = {} if move is None else {"move": move}
    return read((client or Client()).get(f"/games/{game.slug}/replay/", query))


def links(page: Element) -> dict[str, str]:
    """Return where the buttons of the leaves lead."""
    return {
        link["data-go"]: link["href"].partition("move=")[2] for link in page.find("nav", class_="leaves").find_all("a")
    }


def test_without_scripts_buttons_turn_one_leaf_ten_or_all(game: Game) -> None:
    last = str(game.move_count)
    expected = {"first": "0", "less": "2", "back": "11", "forward": "13", "more": "22", "last": last}
    assert links(page_of(game, 12)) == expected
    assert links(page_of(game, 0)) == {
        "first": "0",
        "less": "0",
        "back": "0",
        "forward": "1",
        "more": "10",
        "last": last,
    }
    assert links(page_of(game))["more"] == last


def test_every_piece_carries_the_number_of_its_move_in_one_of_its_cells(game: Game) -> None:
    groups = page_of(game).find("svg", id="board").find_all("g")
    history = positions.position_of(game).history
    placed = [(number, turn.placement) for number, turn in enumerate(history, 1) if turn.placement]
    assert [group.find("text").text for group in groups] == [str(number) for number, _ in placed]
    for group, (_, placement) in zip(groups, placed, strict=True):
        text = group.find("text")
        cell = int(float(text["x"]) // 10), 13 - int(float(text["y"]) // 10)
        assert cell in placement.points


def test_what_needs_a_script_waits_for_it(game: Game) -> None:
    page = page_of(game)
    assert "hidden" in page.find(class_="film").attributes
    assert [option.text for option in page.find("select").find_all("option")] == ["Slow", "Normal", "Fast"]


def test_a_link_and_a_picture_are_of_the_move_shown(game: Game) -> None:
    page = page_of(game, 12)
    assert page.find("input", id="move-link")["value"] == f"http://testserver/games/{game.slug}/replay/?move=12"
    hrefs = [link["href"] for link in page.find("section", id="share").find_all("a")]
    assert hrefs == [f"/games/{game.slug}/picture.png?move=12", f"/games/{game.slug}/replay.gif?"]


def test_a_preview_of_a_public_game_shows_its_picture(game: Game, alice: User, log_in: LogIn) -> None:
    for move, query in ((None, ""), (12, "?move=12")):
        page = page_of(game, move)
        assert (
            page.find("meta", property="og:image")["content"]
            == f"http://testserver/games/{game.slug}/picture.png{query}"
        )
        assert page.find("meta", name="twitter:card")["content"] == "summary_large_image"
    assert page.find("meta", property="og:title")["content"] == "At noon"
    private = open_table(alice, ME, bot(), variant="duo", is_public=False)
    assert page_of(private, client=log_in(alice)).find_all("meta", property="og:image") == []


def test_the_page_of_a_game_has_a_preview_once_it_has_started(game: Game, alice: User) -> None:
    page = read(Client().get(f"/games/{game.slug}/"))
    assert page.find("meta", property="og:image")["content"] == f"http://testserver/games/{game.slug}/picture.png"
    waiting = open_table(alice, ME, OPEN, variant="duo")
    assert read(Client().get(f"/games/{waiting.slug}/")).find_all("meta", property="og:image") == []


def test_a_finished_game_leads_to_its_replay_and_review(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob, variant="duo")
    resign(alice, game.slug)
    page = read(log_in(bob).get(f"/games/{game.slug}/"))
    links = [link for name in ("rest", "passed") for link in page.find(class_=name).find_all("a")]
    hrefs = [link["href"].removeprefix(f"/games/{game.slug}/") for link in links]
    assert hrefs == ["replay/", "review/", "replay/#share"]


def test_a_guest_has_no_line_under_the_navigation_above_the_board(game: Game) -> None:
    guest = Client()
    guest.post("/play-bots/")
    assert read(guest.get("/lobby/")).find_all(class_="guest-line") != []
    assert page_of(game, client=guest).find_all(class_="guest-line") == []


def test_start_cells_are_marked_until_every_colour_has_begun(alice: User, bob: User, carol: User) -> None:
    game = running(alice, bob, carol, variant="trigon-3")
    for _ in range(4):
        advance(game, random.Random(1))
    for move, has_marks in ((0, True), (2, True), (3, False), (4, False)):
        marks = page_of(game, move).find("svg", id="board").find_all("path", class_="start")
        assert {mark["data-begun"] for mark in marks} == {"3"}
        assert all((mark.attributes.get("display") != "none") == has_marks for mark in marks)


@pytest.mark.parametrize(("moves", "marks"), [(0, 1), (2, 1), (3, 0)])
def test_the_board_of_a_running_game_marks_them_as_long(
    moves: int, marks: int, alice: User, bob: User, carol: User
) -> None:
    game = running(alice, bob, carol, variant="trigon-3")
    for _ in range(moves):
        advance(game, random.Random(1))
    board = read(Client().get(f"/games/{game.slug}/")).find("svg", id="board")
    assert len(board.find_all("path", class_="start")) == marks


def test_the_title_says_that_it_is_a_replay_and_of_what(game: Game) -> None:
    head = page_of(game).find("p", class_="head__about")
    assert " ".join(head.find_all("span")[0].text.split()) == "Replay · Duo, 2 players"
