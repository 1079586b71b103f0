"""What a page that looks at a game is told."""

import random
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games.actions.moves.resign import resign
from games.base.access import games_to_view
from games.models import Game, Player
from games.realtime import consumers
from games.realtime.groups import game_group
from tests.conftest import logged_in
from tests.games.realtime.sockets import close_code, in_thread, live, opened
from tests.games.tables import advance, change, fresh, place, running

pytestmark = pytest.mark.django_db(transaction=True)


def path(game: Game) -> str:
    return f"/ws/games/{game.slug}/"


def version(game: Game) -> dict[str, object]:
    return {"type": "version", "game": game.slug, "version": fresh(game).version}


@live
async def test_a_page_is_told_the_version_when_it_connects_and_whenever_it_asks(alice: User, bob: User) -> None:
    game = await in_thread(running)(alice, bob)
    async with opened(path(game), await in_thread(logged_in)(alice)) as page:
        now = await in_thread(version)(game)
        assert await page.receive_json_from() == now
        await page.send_json_to({"type": "ping", "looking": True})
        assert await page.receive_json_from() == now


@live
async def test_every_page_is_told_of_every_move_and_of_every_other_change(alice: User, bob: User) -> None:
    game = await in_thread(running)(alice, bob)
    async with opened(path(game), await in_thread(logged_in)(bob)) as players, opened(path(game)) as visitors:
        for page in (players, visitors):
            await page.receive_json_from()
        moves = [partial(advance, rng=random.Random(seed)) for seed in range(3)]
        steps: tuple[Callable[[Game], object], ...] = (change, *moves, change, change)
        for happen in steps:
            await in_thread(happen)(game)
            for page in (players, visitors):
                assert await page.receive_json_from() == await in_thread(version)(game)


@live
async def test_the_end_of_a_game_is_told(alice: User, bob: User) -> None:
    game = await in_thread(running)(alice, bob)
    async with opened(path(game), await in_thread(logged_in)(bob)) as page:
        await page.receive_json_from()
        await in_thread(resign)(alice, game.slug)
        assert await page.receive_json_from() == await in_thread(version)(game)


@live
async def test_pages_of_another_game_are_left_alone(alice: User, bob: User, carol: User, dave: User) -> None:
    ours, theirs = await in_thread(running)(alice, bob), await in_thread(running)(carol, dave)
    async with opened(path(theirs)) as page:
        await page.receive_json_from()
        await in_thread(place)(ours, "V3:a1,b1,a2")
        assert await page.heard(game_group(theirs.slug)) == []


@live
async def test_a_move_that_lands_while_a_page_connects_is_not_missed(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The group is joined before the version is read: either the version or the nudge is the new one."""
    game = await in_thread(running)(alice, bob)
    real = games_to_view

    def slow(*args: Any) -> Any:
        found = real(*args)
        monkeypatch.setattr(consumers, "games_to_view", real)
        place(game, "V3:a1,b1,a2")
        return found

    monkeypatch.setattr(consumers, "games_to_view", slow)
    async with opened(path(game)) as page:
        told = [(await page.receive_json_from())["version"] for _ in range(2)]
        assert (await in_thread(fresh)(game)).version in told


def seen_at(game: Game, user: User) -> Any:
    return Player.objects.get(game=game, user=user).seen_at


@live
async def test_presence_is_noted_for_who_looks_and_forgotten_when_the_page_goes(alice: User, bob: User) -> None:
    game = await in_thread(running)(alice, bob)
    async with opened(path(game), await in_thread(logged_in)(alice)) as page:
        await page.receive_json_from()
        assert await in_thread(seen_at)(game, alice) is None
        await page.send_json_to({"type": "ping", "looking": True})
        await page.receive_json_from()
        assert await in_thread(seen_at)(game, alice) > timezone.now() - timedelta(seconds=5)
    assert await in_thread(seen_at)(game, alice) is None
    assert await in_thread(seen_at)(game, bob) is None


@live
async def test_a_hidden_page_does_not_look(alice: User, bob: User) -> None:
    game = await in_thread(running)(alice, bob)
    async with opened(path(game), await in_thread(logged_in)(alice)) as page:
        await page.receive_json_from()
        for is_looking in (True, False):
            await page.send_json_to({"type": "ping", "looking": is_looking})
            await page.receive_json_from()
        assert await in_thread(seen_at)(game, alice) is None


@live
async def test_a_page_that_may_no_longer_look_is_closed_at_its_heartbeat(alice: User, bob: User) -> None:
    game = await in_thread(running)(alice, bob)
    async with opened(path(game)) as page:
        await page.receive_json_from()
        await in_thread(make_private)(game)
        await page.send_json_to({"type": "ping"})
        assert await close_code(page) == 4403


def make_private(game: Game) -> None:
    game.is_public = False
    game.save(update_fields=["is_public"])
