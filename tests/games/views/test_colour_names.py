"""The names of the colours follow whoever reads them, on every page and whoever has read it before."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts import traditions
from accounts.models import User
from games.models import Game, Notification, Occasion
from games.notifications import messages
from games.words import sentences
from tests.conftest import LogIn
from tests.games.play.pages import Element, game_part, read
from tests.games.spoken.words import answers, spoken
from tests.games.tables import fresh, place, running

pytestmark = pytest.mark.same_queries

OTHER = traditions.Tradition.CYAN_VIOLET
BLUE, CYAN = re.compile(r"\b(Blue|Yellow)\b"), re.compile(r"\b(Cyan|Violet)\b")
#: Pages that name the colours of a game, or of all games; a game's begin with its address.
PAGES = ["", "board/", "placements/?piece=I5", "replay/", "/rules/", "/games/new/?variant=blockyou-3"]


def prefers(user: User, tradition: str = OTHER) -> User:
    user.colour_names = tradition
    user.save(update_fields=["colour_names"])
    return user


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """Alice knows Blue and Red where Bob knows Cyan and Red; Bob is to play Yellow, which he calls Violet."""
    game = running(alice, prefers(bob))
    place(game, "V5:a1,b1,c1,a2,a3")
    return fresh(game)


@pytest.fixture
def alices(alice: User, log_in: LogIn) -> Client:
    return log_in(alice)


@pytest.fixture
def bobs(bob: User, log_in: LogIn) -> Client:
    return log_in(bob)


def words(element: Element) -> str:
    """Return what of a page is read: its texts, and the labels that are read aloud."""
    labels = [one.attributes.get("aria-label", "") for one in element.walk()]
    texts = [child for one in element.walk() if one.tag != "script" for child in one.children if isinstance(child, str)]
    return " ".join([*texts, *labels])


def seen(client: Client, game: Game, path: str) -> str:
    response = client.get(path if path.startswith("/") else f"/games/{game.slug}/{path}")
    assert response.status_code == 200
    return words(read(response))


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("look", [Client, spoken], ids=["drawn", "spoken"])
def test_each_reads_the_names_they_know_whoever_looked_before(
    game: Game, alices: Client, bobs: Client, path: str, look: Callable[..., Any]
) -> None:
    if look is spoken:
        alices, bobs = spoken(alices), spoken(bobs)
    for _time in range(2):
        hers, his = seen(alices, game, path), seen(bobs, game, path)
        assert not CYAN.search(hers)
        assert not BLUE.search(his)
        if path != "placements/?piece=I5":
            assert BLUE.search(hers)
        assert CYAN.search(his)


def test_the_turn_is_told_by_either_name(game: Game, alices: Client, bobs: Client) -> None:
    turns = [
        game_part(read(client.get(f"/games/{game.slug}/"))).find(class_="say__turn").text for client in (alices, bobs)
    ]
    assert turns == ["bob to play Yellow", "Your turn Violet: tap a piece, then your corner t1"]


def test_a_visitor_reads_the_usual_names_after_whoever_reads_others(game: Game, bobs: Client) -> None:
    his, visitors = seen(bobs, game, ""), seen(Client(), game, "")
    assert CYAN.search(his)
    assert BLUE.search(visitors)
    assert not CYAN.search(visitors)


def test_a_page_in_the_other_names_is_another_page(game: Game, bob: User, bobs: Client) -> None:
    address = f"/games/{game.slug}/board/"
    tag = bobs.get(address).headers["ETag"]
    assert bobs.get(address, headers={"If-None-Match": tag}).status_code == 304
    prefers(bob, traditions.USUAL)
    assert bobs.get(address, headers={"If-None-Match": tag}).status_code == 200


def test_a_command_takes_the_name_that_is_read_and_the_code(game: Game, bobs: Client) -> None:
    told = [answers(bobs, game, command) for command in ("p cyan", "p blue")]
    assert told[0] == told[1]
    assert told[0][0].startswith("Cyan: ")


def test_records_and_what_is_drawn_keep_the_codes(game: Game, alices: Client, bobs: Client) -> None:
    records = [client.get(f"/games/{game.slug}/record.json").content for client in (alices, bobs)]
    assert records[0] == records[1]
    codes = [
        [one.attributes.get("data-colour") for one in read(client.get(f"/games/{game.slug}/")).find(id="board").walk()]
        for client in (alices, bobs)
    ]
    assert "blue" in codes[1]
    assert {*codes[0]} == {*codes[1]}


def test_the_page_says_how_the_pieces_are_filled(game: Game, alices: Client, bobs: Client) -> None:
    shown = [read(client.get("/rules/")).find("html")["data-colours"] for client in (alices, bobs, Client())]
    assert shown == ["blue-yellow", "cyan-violet", "blue-yellow"]


def test_nothing_is_left_of_the_names_when_the_request_is_over(game: Game, bobs: Client) -> None:
    seen(bobs, game, "")
    assert traditions.current() == traditions.USUAL
    assert sentences.colour("blue") == "Blue"


def test_an_email_speaks_as_its_reader_does(game: Game, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.words.notices.game_title", lambda *_: sentences.colour("yellow"))
    Notification.objects.record(Occasion.TURN, game, [bob.pk], timezone.now(), event=2)
    with messages.as_read_by(bob):
        message = messages.message_of(Notification.objects.get())
    assert "Violet" in message.subject
    assert "Violet" in message.text
    assert sentences.colour("yellow") == "Yellow"


def test_the_two_traditions_name_the_same_codes_and_share_the_others() -> None:
    with traditions.using(OTHER):
        names = [sentences.colour(code) for code in sentences.COLOURS]
    assert names == ["Cyan", "Violet", "Red", "Green", "Purple", "Orange"]
    assert len(set(names)) == len(names)
