"""What pages with lists are told: my games on all devices, the lobby for everybody."""

import random
from typing import Any

import pytest

from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.decline_invitation import decline_invitation
from games.actions.tables.join_game import join_game
from games.actions.tables.leave_game import leave_game
from games.queries.site.versions import lists_version, lobby_version
from games.realtime.groups import LOBBY, user_group
from tests.conftest import logged_in
from tests.games.realtime.sockets import Page, in_thread, live, opened
from tests.games.tables import ME, OPEN, advance, change, invited, open_table, running

pytestmark = pytest.mark.django_db(transaction=True)


async def told(page: Page, group: str) -> bool:
    """Whether the page was told that its list has changed; takes everything it was told."""
    frames = await page.heard(group)
    assert all(frame["type"] == "list" for frame in frames)
    return bool(frames)


async def ask(page: Page) -> str:
    await page.send_json_to({"type": "ping"})
    return (await page.receive_json_from())["version"]


@live
async def test_the_version_of_my_list_is_told_on_connect_and_on_asking(alice: User, bob: User) -> None:
    async with opened("/ws/me/", await in_thread(logged_in)(alice)) as page:
        first = await page.receive_json_from()
        assert first == {"type": "list", "version": await in_thread(lists_version)(alice.pk)}
        game = await in_thread(running)(alice, bob)
        assert await told(page, user_group(alice.pk))
        second = await ask(page)
        assert second != first["version"]
        await in_thread(resign)(bob, game.slug)
        assert await told(page, user_group(alice.pk))
        assert await ask(page) not in {first["version"], second}


@live
async def test_a_change_that_is_no_move_is_told(alice: User, bob: User) -> None:
    async with opened("/ws/me/", await in_thread(logged_in)(alice)) as page:
        await page.receive_json_from()
        game = await in_thread(running)(alice, bob)
        assert await told(page, user_group(alice.pk))
        before = await ask(page)
        for _ in range(2):
            await in_thread(change)(game)
            assert await told(page, user_group(alice.pk))
        assert await ask(page) != before


@live
async def test_everybody_concerned_is_told_and_nobody_else(alice: User, bob: User, carol: User, eve: User) -> None:
    pages, people = {}, {"alice": alice, "bob": bob, "eve": eve}
    async with (
        opened("/ws/me/", await in_thread(logged_in)(alice)) as pages["alice"],
        opened("/ws/me/", await in_thread(logged_in)(bob)) as pages["bob"],
        opened("/ws/me/", await in_thread(logged_in)(eve)) as pages["eve"],
    ):
        for page in pages.values():
            await page.receive_json_from()

        async def those_told(action: Any, *args: Any, **kwargs: Any) -> Any:
            result = await in_thread(action)(*args, **kwargs)
            return result, {name for name, page in pages.items() if await told(page, user_group(people[name].pk))}

        game, names = await those_told(
            open_table, alice, ME, invited("bob"), OPEN, variant="blockyou-3", colours=("blue", "red", "green")
        )
        assert names == {"alice", "bob"}
        assert (await those_told(decline_invitation, bob, game.slug))[1] == {"alice", "bob"}
        assert (await those_told(join_game, eve, game.slug))[1] == {"alice", "eve"}
        assert (await those_told(leave_game, eve, game.slug))[1] == {"alice", "eve"}
        assert (await those_told(cancel_game, alice, game.slug))[1] == {"alice"}
        game, names = await those_told(running, alice, bob)
        assert names == {"alice", "bob"}
        assert (await those_told(advance, game, random.Random(1)))[1] == {"alice", "bob"}


@live
async def test_the_lobby_is_told_of_public_tables_only(alice: User, bob: User, carol: User) -> None:
    async with opened("/ws/lobby/") as page:
        first = (await page.receive_json_from())["version"]
        await in_thread(open_table)(alice, ME, OPEN, is_public=False)
        assert not await told(page, LOBBY)
        table = await in_thread(open_table)(alice, ME, OPEN)
        assert await told(page, LOBBY)
        second = await ask(page)
        assert second == await in_thread(lobby_version)() != first
        game = await in_thread(join_game)(bob, table.slug)
        assert await told(page, LOBBY)
        await in_thread(advance)(game, random.Random(1))
        assert not await told(page, LOBBY)
