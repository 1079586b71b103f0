"""Playing without the board: switched on with the first control, kept by the browser, left the same way."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.models import Game
from tests.conftest import LogIn
from tests.games.play.pages import Element, read
from tests.games.spoken.words import ME, OPEN, see, spoken
from tests.games.tables import open_table, running

FOCUSABLE = {"a", "button", "input", "select", "textarea", "summary"}


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    return running(alice, bob)


def controls(page: Element) -> list[Element]:
    """Return what the Tab key reaches, in order."""
    found = [one for one in page.find("body").walk() if one.tag in FOCUSABLE]
    return [one for one in found if one.attributes.get("type") != "hidden"]


def test_the_first_control_after_the_skip_link_plays_without_the_board(game: Game, alice: User, log_in: LogIn) -> None:
    skip, mode = controls(see(log_in(alice), game))[:2]
    assert skip["href"] == "#main"
    assert (mode.tag, mode.text) == ("button", "Play without the board")


def test_everybody_finds_it_in_the_menu_too(game: Game) -> None:
    page = see(Client(), game)
    item = page.find("nav", id="menu").find("button", form="mode")
    assert (item["name"], item["value"]) == ("spoken", "yes")
    assert page.find("form", id="mode")["action"] == f"/games/{game.slug}/mode/"


def test_it_is_remembered_by_the_browser_for_every_game_and_left_the_same_way(
    game: Game, alice: User, bob: User, log_in: LogIn
) -> None:
    client = log_in(alice)
    answer = client.post(f"/games/{game.slug}/mode/", {"spoken": "yes"})
    assert (answer.status_code, answer["Location"]) == (302, f"/games/{game.slug}/")
    cookie = answer.cookies["spoken"]
    assert (cookie["samesite"], cookie["httponly"], cookie["max-age"] >= 180 * 24 * 3600) == ("Lax", True, True)
    for each in (game, running(alice, bob, variant="duo")):
        page = see(client, each)
        assert controls(page)[1].text == "Show the board"
        assert not page.find_all("svg", id="board")
    client.post(f"/games/{game.slug}/mode/", {"spoken": "no"})
    assert see(client, game).find_all("svg", id="board")


def test_where_the_site_is_https_no_other_host_can_set_the_cookie(game: Game, settings: Any) -> None:
    settings.IS_HTTPS, settings.SPOKEN_COOKIE_NAME = True, "__Host-spoken"
    for wanted in ("yes", "no"):
        cookie = Client().post(f"/games/{game.slug}/mode/", {"spoken": wanted}).cookies["__Host-spoken"]
        assert (cookie["secure"], cookie["path"], cookie["domain"], cookie["samesite"]) == (True, "/", "", "Lax")


def test_the_way_back_keeps_the_link_that_led_to_a_private_game(alice: User, bob: User) -> None:
    game, client = running(alice, bob, is_public=False), Client()
    action = see(client, game, f"?token={game.invite_token}").find("form", id="mode")["action"]
    answer = client.post(action, {"spoken": "yes"}, follow=True)
    assert read(answer).find(id="text-board")


def test_the_switch_needs_the_form_of_the_page(game: Game) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(f"/games/{game.slug}/mode/", {"spoken": "yes"}).status_code == 403


def test_a_table_that_waits_keeps_its_page_and_becomes_words_when_it_starts(
    alice: User, bob: User, log_in: LogIn
) -> None:
    table = open_table(alice, ME, OPEN)
    client = spoken(log_in(alice))
    assert see(client, table).find("form", id="mode")
    log_in(bob).post(f"/games/{table.slug}/join/", {"seat": "1"})
    update = see(client, table, f"board/?since={table.version}", **{"HX-Request": "true"})
    assert update.find(id="text-board")
    assert update.find(id="news").text == "The game has started. It is your turn: Blue."


def test_the_cookie_does_not_let_one_page_answer_for_the_other(game: Game, alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    tag = client.get(f"/games/{game.slug}/board/")["ETag"]
    assert spoken(client).get(f"/games/{game.slug}/board/", headers={"If-None-Match": tag}).status_code == 200
