"""The named openings where people see them: on the page of a game and its replay, and on pages of their own."""

import pytest
from django.test import Client

from accounts.models import User
from games.lines.entries import LINES
from games.models import Game
from tests.conftest import LogIn
from tests.games.lines.made import BARASONA, from_any_start
from tests.games.play.pages import Element, read
from tests.games.tables import place, running

pytestmark = pytest.mark.django_db

#: FW by Purple, and nothing that has a name by Orange.
DUO = ["F:e8,f8,d9,e9,e10", "1:j5", "W:g6,g7,h7,h8,i8", "2:k4,l4"]


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """Return a running game of Duo that begins with FW."""
    return begun(running(alice, bob, variant="duo"), DUO)


def begun(game: Game, turns: list[str]) -> Game:
    for text in turns:
        place(game, text)
    return game


def page(address: str, client: Client | None = None) -> Element:
    answer = (client or Client()).get(address)
    assert answer.status_code == 200
    return read(answer)


def opened(found: Element) -> list[tuple[str, str]]:
    """Return what a page says about openings, and where each sentence leads."""
    lines = [line for one in found.find_all("ul", class_="opened") for line in one.find_all("li")]
    return [(" ".join(line.text.split()).replace(" .", "."), line.find("a")["href"]) for line in lines]


FW = [("Purple opened with FW.", "/openings/fw/")]


def test_the_page_of_a_game_and_its_replay_name_the_opening(game: Game, alice: User, log_in: LogIn) -> None:
    assert opened(page(f"/games/{game.slug}/", log_in(alice))) == FW
    assert opened(page(f"/games/{game.slug}/replay/")) == FW
    # Also at a move before it.
    assert opened(page(f"/games/{game.slug}/replay/?move=1")) == FW


def test_the_page_in_words_names_the_opening(game: Game, alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    client.post(f"/games/{game.slug}/mode/", {"spoken": "yes"})
    assert opened(page(f"/games/{game.slug}/", client)) == FW


def test_a_game_without_a_named_opening_says_nothing_of_openings(alice: User, bob: User) -> None:
    game = begun(running(alice, bob, variant="duo"), DUO[:2])
    assert opened(page(f"/games/{game.slug}/")) == []


def test_an_opening_that_was_left_says_how_far_it_was_followed(alice: User, bob: User) -> None:
    placed = from_any_start("blockyou-2", BARASONA)
    turns = [str(line[number]) for number in range(3) for line in placed.values()]
    game = begun(running(alice, bob), [*turns, "I5:h6,i6,j6,k6,l6", str(placed["yellow"][3])])
    assert opened(page(f"/games/{game.slug}/replay/")) == [
        ("Blue followed Barasona for 3 of its 4 pieces.", "/openings/barasona/"),
        ("Yellow opened with Barasona.", "/openings/barasona/"),
        ("Red followed Barasona for 3 of its 4 pieces.", "/openings/barasona/"),
        ("Green followed Barasona for 3 of its 4 pieces.", "/openings/barasona/"),
    ]


def test_the_list_leads_to_every_opening() -> None:
    links = [link["href"] for link in page("/openings/").find_all("a", class_="list__title")]
    assert links == [f"/openings/{key}/" for key in LINES]


@pytest.mark.parametrize("key", LINES)
def test_every_opening_has_a_page_with_its_line_and_its_sources(key: str) -> None:
    found, line = page(f"/openings/{key}/"), LINES[key]
    assert found.find("h1").text == line.name
    pieces = found.find("svg", class_="opening__board").find_all("path", class_="piece")
    assert len(pieces) == line.length == len(found.find("ol", class_="opening__placements").find_all("li"))
    sources = [link["href"] for link in found.find("ul", class_="opening__sources").find_all("a")]
    assert sources == [source.address for source in line.sources]


def test_an_opening_that_does_not_exist_has_no_page() -> None:
    answer = Client().get("/openings/no-such-opening/")
    assert answer.status_code == 404
    assert "There is no such opening." in answer.content.decode()


def test_the_pieces_are_said_in_order() -> None:
    assert "F, then X and W in either order, then N" in page("/openings/barasona/").text
