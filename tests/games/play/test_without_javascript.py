"""A whole game by links and forms alone."""

import random

import pytest
from django.test import Client

from accounts.models import User
from games.actions.moves.resign import resign
from games.models import Game
from tests.conftest import LogIn
from tests.games.play.pages import Element, read
from tests.games.tables import ME, bot, fresh, open_table, place, running
from tests.proof import proof


def submit(client: Client, form: Element, button: Element | None = None, **typed: str) -> int:
    """Press a form's button as a browser would; return the status of the page it leads to."""
    fields = {
        one["name"]: one.attributes.get("value", "") for one in form.find_all("input") if "name" in one.attributes
    }
    if button is not None and "name" in button.attributes:
        fields[button["name"]] = button["value"]
    return client.post(form["action"], {**fields, **typed}, follow=True).status_code


def move(client: Client, slug: str, rng: random.Random) -> None:
    """Open the game, follow a piece of the tray to its placements, and press one of them."""
    page = read(client.get(f"/games/{slug}/"))
    tray = next(tray for tray in page.find_all("form", class_="tray") if "hidden" not in tray.attributes)
    fitting = [slot for slot in tray.find_all("button") if "aria-disabled" not in slot.attributes]
    listed = read(client.get(tray["action"], {"piece": rng.choice(fitting)["value"]}))
    button = rng.choice(listed.find_all("button", name="placement"))
    form = next(form for form in listed.find_all("form") if button in form.find_all("button"))
    assert submit(client, form, button) == 200


@pytest.mark.parametrize("variant", ["codingame-2", *proof("blockyou-2")])
def test_a_whole_game_can_be_played(variant: str, alice: User, bob: User, log_in: LogIn) -> None:
    game, rng = running(alice, bob, variant=variant), random.Random(8)
    clients = {0: log_in(alice), 1: log_in(bob)}
    while (game := fresh(game)).turn_seat is not None:
        before = game.move_count
        move(clients[game.turn_seat], game.slug, rng)
        assert fresh(game).move_count > before
    page = read(clients[0].get(f"/games/{game.slug}/"))
    assert len(page.find(class_="result").find_all("tbody")) == 2


def test_while_a_bot_is_due_the_page_comes_again_by_itself(alice: User, log_in: LogIn) -> None:
    game, client = open_table(alice, ME, bot("greedy"), variant="duo"), log_in(alice)
    path = f"/games/{game.slug}/"
    assert read(client.get(path)).find_all("meta", http_equiv="refresh") == []
    place(game, "X:e10,d9,e9,f9,e8")
    page = read(client.get(path))
    [again] = [meta for part in page.find_all("noscript") for meta in part.find_all("meta", http_equiv="refresh")]
    assert again["content"] == f"5; url={path}"
    assert "reloads every 5 seconds until the bot has moved" in page.find(class_="say").text
    client.cookies["spoken"] = "yes"
    words = read(client.get(path))
    assert words.find_all("meta", http_equiv="refresh") == []
    assert "Reload the page to see the bot's move" in words.find(id="turn").text
    del client.cookies["spoken"]
    Game.objects.update(is_paused=True)
    assert read(client.get(path)).find_all("meta", http_equiv="refresh") == []


def test_a_placement_can_be_typed(alice: User, bob: User, log_in: LogIn) -> None:
    game, client = running(alice, bob), log_in(alice)
    page = read(client.get(f"/games/{game.slug}/placements/"))
    form = next(form for form in page.find_all("form") if form.find_all(id="placement"))
    assert submit(client, form, placement="v5 A3,a2,a1,b1,C1") == 200
    assert game.moves.get().placement == "V5:a1,b1,c1,a2,a3"


def test_the_list_says_how_often_each_piece_fits(alice: User, bob: User, log_in: LogIn) -> None:
    game, client = running(alice, bob), log_in(alice)
    page = read(client.get(f"/games/{game.slug}/placements/"))
    counts = [int(badge.text) for badge in page.find(class_="placements").find_all(class_="badge")]
    # The cross fits in no corner.
    assert (len(counts), sum(counts)) == (20, 58)


def test_the_list_waits_for_my_turn(alice: User, bob: User, eve: User, log_in: LogIn) -> None:
    game = running(alice, bob)
    page = read(log_in(bob).get(f"/games/{game.slug}/placements/?piece=1"))
    assert "It is not your turn." in page.text
    assert not page.find_all("button", name="placement")
    assert log_in(eve).get(f"/games/{game.slug}/placements/").status_code == 403


def test_a_piece_that_is_none_lists_nothing(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob)
    page = read(log_in(alice).get(f"/games/{game.slug}/placements/?piece=<b>"))
    assert not page.find_all("button", name="placement")


def test_a_game_that_is_over_has_no_list(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob)
    resign(bob, game.slug)
    assert log_in(alice).get(f"/games/{game.slug}/placements/").status_code == 409
