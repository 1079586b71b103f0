"""The law of live pages: old page + message = fresh page, for every kind of event.

A page was loaded before something happened. The message it gets names a newer version than it shows, and the part
that it fetches then is what a page loaded now shows.
"""

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.actions.moves.come_back import come_back
from games.actions.moves.resign import resign
from games.actions.moves.time_out import time_out
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.decline_invitation import decline_invitation
from games.actions.tables.join_game import join_game
from games.actions.tables.leave_game import leave_game
from games.actions.tables.open_rematch import open_rematch
from games.actions.talk.send_message import send_message
from games.bots.turns import play_turn
from games.models import Game, Player
from tests.conftest import logged_in
from tests.games.realtime.sockets import in_thread, live, opened
from tests.games.tables import (
    ME,
    OPEN,
    advance,
    bot,
    change,
    declare_pass,
    due,
    fresh,
    invited,
    large_first,
    open_table,
    play_out,
    running,
)

pytestmark = pytest.mark.django_db(transaction=True)


def waiting(alice: User, bob: User) -> Game:
    return open_table(alice, ME, OPEN, invited("bob"), colours=("blue", "yellow", "red"))


def joined(alice: User, bob: User) -> Game:
    return join_game(bob, waiting(alice, bob).slug)


def blocked(alice: User, bob: User) -> Game:
    """Return a game in which the colour to play has to declare its pass."""
    game, rng = running(alice, bob, declares_passes=True), random.Random(3)
    from games.base.positions import position_of

    while position_of(game).has_legal():
        game = advance(game, rng)
    return game


def nearly_over(alice: User, bob: User) -> Game:
    """Return a game whose next move is its last."""
    finished = play_out(running(alice, bob), 1)
    length = finished.moves.exclude(is_automatic=True).count()
    return play_out(running(alice, bob), chance=1, turns=length - 1)


def with_bot(alice: User, bob: User) -> Game:
    return open_table(alice, bot("greedy", 1), ME)


def late(alice: User, bob: User) -> Game:
    from games.clock import TimeControl

    return running(alice, bob, time=TimeControl.days_a_move(1))


def away(alice: User, bob: User) -> Game:
    """Return a game in which alice is away and bob is to play."""
    game = join_game(bob, open_table(alice, ME, OPEN, bot()).slug)
    advance(game, random.Random(1))
    Player.objects.filter(game=game, user=alice).update(missed=2)
    return fresh(game)


EVENTS: dict[str, tuple[Callable[[User, User], Game], Callable[[Game, User, User], Any]]] = {
    "somebody joins": (waiting, lambda game, alice, bob: join_game(bob, game.slug)),
    "somebody declines": (waiting, lambda game, alice, bob: decline_invitation(bob, game.slug)),
    "somebody leaves": (joined, lambda game, alice, bob: leave_game(bob, game.slug)),
    "the last seat is taken": (
        lambda alice, bob: open_table(alice, ME, OPEN),
        lambda game, alice, bob: join_game(bob, game.slug),
    ),
    "the table is cancelled": (waiting, lambda game, alice, bob: cancel_game(alice, game.slug)),
    "a piece is placed": (running, lambda game, alice, bob: advance(game, random.Random(1))),
    "a bot places": (with_bot, lambda game, alice, bob: play_turn(game.pk, 1)),
    "a pass is declared": (blocked, lambda game, alice, bob: declare_pass(game)),
    "the game is played out": (nearly_over, lambda game, alice, bob: play_out(game, 2)),
    "something changes that is no move": (running, lambda game, alice, bob: change(game)),
    "somebody says something": (running, lambda game, alice, bob: send_message(bob, game.slug, phrase="hello")),
    "somebody resigns": (running, lambda game, alice, bob: resign(bob, game.slug)),
    "the time is up": (late, lambda game, alice, bob: time_out(game.slug, number=due(game))),
    "a player comes back": (away, lambda game, alice, bob: come_back(alice, game.slug)),
    "a rematch is asked for": (
        lambda alice, bob: play_out(running(alice, bob), chance=1, choose=large_first),
        lambda game, alice, bob: open_rematch(bob, game.slug),
    ),
}


def part(client: Client, game: Game) -> str:
    """Return what the page fetches."""
    return without_secrets(client.get(f"/games/{game.slug}/board/", HTTP_HX_REQUEST="true").content.decode())


def page(client: Client, game: Game) -> str:
    return without_secrets(client.get(f"/games/{game.slug}/").content.decode())


def without_secrets(html: str) -> str:
    """Return the page without what differs each time it is made."""
    return re.sub(r'value="[A-Za-z0-9]{64}"', "", html)


def shown(html: str) -> int:
    [version] = re.findall(r'data-version="(\d+)"', html)
    return int(version)


@pytest.mark.parametrize(
    "who",
    [
        "bob",
        *(pytest.param(who, marks=[pytest.mark.proof, pytest.mark.same_queries]) for who in ("alice", "a visitor")),
    ],
)
@pytest.mark.parametrize("event", EVENTS)
@live
async def test_old_page_and_message_make_a_fresh_page(alice: User, bob: User, event: str, who: str) -> None:
    before, happen = EVENTS[event]
    game = await in_thread(before)(alice, bob)
    client = Client() if who == "a visitor" else await in_thread(logged_in)(alice if who == "alice" else bob)
    old = await in_thread(page)(client, game)
    async with opened(f"/ws/games/{game.slug}/", None if who == "a visitor" else client) as socket:
        assert (await socket.receive_json_from())["version"] == shown(old)
        await in_thread(happen)(await in_thread(fresh)(game), alice, bob)
        fetched, new = await in_thread(part)(client, game), await in_thread(page)(client, game)
        told = shown(old)
        while told < shown(new):
            told = max(told, (await socket.receive_json_from())["version"])
    assert told > shown(old)
    assert shown(fetched) == shown(new) == told
    assert inner(fetched) in new
    assert fetched != old


def inner(fetched: str) -> str:
    """Return the part's element alone, without what is fetched beside it."""
    return fetched[fetched.index("<section") : fetched.rindex("</section>")].strip()
