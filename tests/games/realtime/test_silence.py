"""B6: a page that asks nothing is asked about: within a minute of the end of its login, or its access, it is closed."""

import asyncio
from typing import Any

import pytest

from accounts.models import Session, User
from games.models import Game
from games.realtime import consumers, groups
from tests.conftest import logged_in
from tests.games.realtime.sockets import close_code, in_thread, live, opened
from tests.games.tables import running

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return the questions asked so far, by pages or about them."""
    questions: list[Any] = []
    ask = consumers._heartbeats.answer

    async def noted(question: Any) -> Any:
        questions.append(question)
        return await ask(question)

    monkeypatch.setattr(consumers._heartbeats, "answer", noted)
    return questions


async def pass_by(seconds: float) -> None:
    """Let what goes on come to its end, move the clock of the event loop on, and let what is due then begin."""
    loop: Any = asyncio.get_running_loop()
    await settle()
    clock = loop.time
    loop.time = lambda: clock() + seconds
    await settle()


async def settle() -> None:
    """Let the tasks of the event loop go on until they wait for something."""
    for _ in range(10):
        await asyncio.sleep(0)


@live
async def test_a_page_that_says_nothing_is_closed_within_a_minute_of_the_end_of_its_login(alice: User) -> None:
    async with opened("/ws/me/", await in_thread(logged_in)(alice)) as page:
        await page.receive_json_from()
        await in_thread(Session.objects.all().delete)()
        await pass_by(60)
        assert await close_code(page) == 4401


@live
async def test_a_page_that_says_nothing_is_closed_once_it_may_not_see_its_game(alice: User, bob: User) -> None:
    game = await in_thread(running)(alice, bob)
    async with opened(f"/ws/games/{game.slug}/") as visitor:
        await visitor.receive_json_from()
        await in_thread(Game.objects.filter(pk=game.pk).update)(is_public=False)
        await pass_by(60)
        assert await close_code(visitor) == 4403


@live
async def test_a_page_that_is_well_is_told_nothing_and_asked_about_again(alice: User, asked: list[Any]) -> None:
    async with opened("/ws/me/", await in_thread(logged_in)(alice)) as page:
        await page.receive_json_from()
        for minutes in (1, 2):
            await pass_by(60)
            assert await page.heard(groups.user_group(alice.pk)) == []
            assert len(asked) == minutes
        await in_thread(Session.objects.all().delete)()
        await pass_by(60)
        assert await close_code(page) == 4401


@live
async def test_a_page_that_has_asked_is_not_asked_about(asked: list[Any]) -> None:
    async with opened("/ws/lobby/") as page:
        await page.receive_json_from()
        for pings in (1, 2, 3):
            await pass_by(40)
            assert len(asked) == pings - 1
            await page.send_json_to({"type": "ping"})
            await page.receive_json_from()
            assert len(asked) == pings
