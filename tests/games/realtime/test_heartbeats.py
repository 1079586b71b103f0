"""Heartbeats of many pages are answered together, and each as if it were alone."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack

import pytest
from channels.testing import WebsocketCommunicator
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Session, User
from games.realtime.heartbeats import QueryBatcher
from tests.conftest import logged_in
from tests.games.realtime.sockets import close_code, in_thread, live, opened
from tests.games.tables import running

PAGES = 5

#: The pages' first heartbeat is answered at once and alone: four queries and a note that its player looks. The others
#: share as many; the sockets of lists ask for two people's versions.
MOST_QUERIES = 2 * 7


async def ping(page: WebsocketCommunicator) -> dict[str, object]:
    await page.send_json_to({"type": "ping", "looking": True})
    found: dict[str, object] = await page.receive_json_from(timeout=5)
    return found


@pytest.mark.django_db(transaction=True)
@live
async def test_many_pages_share_the_queries_of_their_heartbeats(alice: User, bob: User) -> None:
    games = [await in_thread(running)(alice, bob) for _ in range(PAGES)]
    async with AsyncExitStack() as stack:
        pages = []
        for game in games:
            browsers = [await in_thread(logged_in)(user) for user in (alice, bob)]
            pages += [
                await stack.enter_async_context(opened(path, browser))
                for browser in browsers
                for path in (f"/ws/games/{game.slug}/", "/ws/me/")
            ]
        for page in pages:
            await page.receive_json_from()
        captured = CaptureQueriesContext(connection)
        await in_thread(captured.__enter__)()
        answers = await asyncio.gather(*map(ping, pages))
        await in_thread(captured.__exit__)(None, None, None)
        number = await in_thread(len)(captured)
    assert {answer.get("game") for answer in answers} == {*(game.slug for game in games), None}
    assert 0 < number <= MOST_QUERIES < 2 * len(pages)


@pytest.mark.django_db(transaction=True)
@live
async def test_a_login_that_has_ended_closes_its_own_socket_and_no_other(alice: User, bob: User) -> None:
    game = await in_thread(running)(alice, bob)
    path, hers, his = f"/ws/games/{game.slug}/", await in_thread(logged_in)(alice), await in_thread(logged_in)(bob)
    async with opened(path, hers) as gone, opened(path, his) as kept, opened(path) as visitor:
        for page in (gone, kept, visitor):
            await page.receive_json_from()
        await in_thread(Session.objects.filter(user_id=alice.pk).delete)()
        for page in (gone, kept, visitor):
            await page.send_json_to({"type": "ping"})
        assert await close_code(gone) == 4401
        assert (await kept.receive_json_from())["game"] == (await visitor.receive_json_from())["game"] == game.slug


@pytest.mark.django_db(transaction=True)
@live
async def test_an_account_that_was_closed_behind_our_back_is_noticed_at_the_heartbeat(alice: User) -> None:
    async with opened("/ws/me/", await in_thread(logged_in)(alice)) as page:
        await page.receive_json_from()
        await in_thread(User.objects.filter(pk=alice.pk).update)(is_active=False)
        await page.send_json_to({"type": "ping"})
        assert await close_code(page) == 4401


async def test_a_round_that_fails_leaves_the_next_one_alone() -> None:
    asked: list[Sequence[int]] = []

    def ask(numbers: Sequence[int]) -> list[int]:
        asked.append(numbers)
        return [10 // number for number in numbers]

    rounds = QueryBatcher(ask)
    found = await asyncio.gather(*map(rounds.answer, (5, 0, 2)), return_exceptions=True)
    assert [type(each) for each in found] == [ZeroDivisionError] * 3
    assert list(await asyncio.gather(rounds.answer(5), rounds.answer(2))) == [2, 5]
    assert [len(numbers) for numbers in asked] == [3, 2]


async def test_a_round_has_so_many_different_questions_at_most_and_those_alike_come_in_one() -> None:
    asked: list[list[int]] = []

    def ask(numbers: Sequence[int]) -> list[int]:
        asked.append(list(numbers))
        return [10 * number for number in numbers]

    rounds = QueryBatcher(ask, every=0, most=2, key=lambda number: number)
    assert await asyncio.gather(*map(rounds.answer, (1, 2, 3, 1, 4, 3, 5))) == [10, 20, 30, 10, 40, 30, 50]
    assert asked == [[1, 2, 1], [3, 4, 3], [5]]
