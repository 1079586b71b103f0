"""B11: how many sockets a login and an address may have open, in one process and in several."""

import asyncio
import os
from contextlib import AsyncExitStack
from typing import Any

import pytest
from pytest_django import Settings

from accounts.models import User
from games.realtime import open_sockets
from games.realtime.open_sockets import MOST_OF_ADDRESS, MOST_OF_LOGIN, SILENT_AFTER, SocketRegistry, address_of
from tests.conftest import logged_in
from tests.games.realtime.sockets import browser, close_code, in_thread, live, opened

pytestmark = pytest.mark.django_db(transaction=True)

PATH = "/ws/lobby/"


async def refused(client: Any = None) -> int:
    """Return the code with which one more socket is closed."""
    socket = browser(PATH, client)
    is_open, _protocol = await socket.connect(timeout=5)
    assert is_open
    return await close_code(socket)


@live
async def test_a_login_has_as_many_sockets_as_ten_tabs_on_two_devices_need_and_no_more(alice: User, bob: User) -> None:
    hers, his = await in_thread(logged_in)(alice), await in_thread(logged_in)(bob)
    async with AsyncExitStack() as pages:
        for _ in range(MOST_OF_LOGIN - 1):
            await pages.enter_async_context(opened(PATH, hers))
        async with opened(PATH, hers):
            assert [await refused(hers) for _ in range(3)] == [4429] * 3
            async with opened(PATH, his), opened(PATH):
                pass
        async with opened(PATH, hers) as page:
            assert (await page.receive_json_from())["type"] == "list"


@live
async def test_visitors_who_are_not_logged_in_share_the_sockets_of_their_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(open_sockets, "MOST_OF_ADDRESS", 2)
    async with opened(PATH), opened(PATH):
        assert await refused() == 4429
    async with opened(PATH):
        pass
    assert MOST_OF_ADDRESS == 100


def test_an_address_is_the_visitors_behind_as_many_proxies_as_there_are(settings: Settings) -> None:
    scope = {"client": ("10.0.0.1", 1), "headers": [(b"x-forwarded-for", b"6.6.6.6, 203.0.113.9")]}
    assert address_of(scope) == "10.0.0.1"
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    assert address_of(scope) == "203.0.113.9"
    assert address_of({"client": ("2001:db8::1:2", 1), "headers": [(b"x-forwarded-for", b"2001:db8::9:9")]}) == (
        "2001:db8::"
    )
    assert address_of({"client": None, "headers": []}) == ""


@live
async def test_an_address_with_too_many_fields_is_one_without_a_token(alice: User) -> None:
    socket = browser("/ws/games/missing/?" + "&".join(f"{name}=1" for name in "abcdefgh"))
    assert await socket.connect(timeout=5) == (False, 4403)


def count(*rounds: Any) -> list[Any]:
    """Return what each of these said, all asked at the same time."""

    async def ask() -> list[Any]:
        return await asyncio.gather(*rounds)

    return asyncio.run(ask())


on_redis = pytest.mark.skipif("REDIS_URL" not in os.environ, reason="needs Redis (.ci/run starts it)")


@pytest.mark.database
@on_redis
def test_several_processes_count_together_and_those_of_a_silent_one_count_no_more() -> None:
    now = [1e9]
    one, other = SocketRegistry(clock=lambda: now[0]), SocketRegistry(clock=lambda: now[0])
    assert count(*(one.enter("login:1", 3, f"one-{n}") for n in range(3))) == [True] * 3
    assert count(other.enter("login:1", 3, "other"), other.enter("login:2", 3, "other")) == [False, True]
    now[0] += SILENT_AFTER - 1
    one.report()
    now[0] += 2
    assert count(other.enter("login:1", 3, "other")) == [False]
    now[0] += SILENT_AFTER
    assert count(other.enter("login:1", 3, "other")) == [True]


@pytest.mark.database
@on_redis
def test_the_sockets_of_a_process_that_was_killed_count_for_nobody_from_then_on() -> None:
    killed, other, next_one = SocketRegistry(), SocketRegistry(), SocketRegistry()
    assert count(*(killed.enter("address:1", 100, f"killed-{n}") for n in range(90))) == [True] * 90
    assert count(*(other.enter("address:1", 100, f"early-{n}") for n in range(11))) == [True] * 10 + [False]
    killed.drop_connection()
    assert count(*(other.enter("address:1", 100, f"page-{n}") for n in range(45))) == [True] * 45
    assert count(*(next_one.enter("address:1", 100, f"page-{n}") for n in range(45))) == [True] * 45
    assert count(next_one.enter("address:1", 100, "one more")) == [False]


@pytest.mark.database
@on_redis
def test_a_process_whose_connection_was_cut_counts_again_as_soon_as_it_says_something() -> None:
    one, other = SocketRegistry(), SocketRegistry()
    assert count(one.enter("login:9", 1, "one")) == [True]
    one.drop_connection()
    one.report()
    assert count(other.enter("login:9", 1, "other")) == [False]
    assert count(one.leave("login:9", "one")) == [None]
    assert count(other.enter("login:9", 1, "other")) == [True]


@pytest.mark.database
@on_redis
def test_sockets_that_come_together_are_let_in_as_far_as_there_are_places() -> None:
    one, other = SocketRegistry(), SocketRegistry()
    assert count(*(one.enter("login:5", 5, f"one-{n}") for n in range(3))) == [True] * 3
    assert count(*(other.enter("login:5", 5, f"other-{n}") for n in range(4))) == [True, True, False, False]


def test_while_redis_is_away_each_process_counts_alone(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1"
    settings.REDIS_OPTIONS = {"url": settings.REDIS_URL, "prefix": "test"}
    one = SocketRegistry()
    assert count(*(one.enter("login:1", 2, str(number)) for number in range(3))) == [True, True, False]
    assert caplog.text.count("counts sockets alone") == 1
