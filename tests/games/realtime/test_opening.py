"""Sockets that open together ask for logins and doors together, and each is answered as if it were alone."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from django.contrib.auth import HASH_SESSION_KEY
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Session, User
from tests.conftest import logged_in
from tests.games.realtime.sockets import PATIENCE, Page, browser, in_thread, live
from tests.games.tables import running

pytestmark = pytest.mark.django_db(transaction=True)

#: The login of one socket takes two queries, its door two. The first socket is answered at once and alone, the others
#: together.
MOST_QUERIES = 2 * 4


async def answers(pages: Sequence[Page]) -> list[Any]:
    """Open these sockets together; return what each is told first, its version or the code it is closed with."""

    async def one(page: Page) -> Any:
        await page.send_input({"type": "websocket.connect"})
        message = await page.receive_output(timeout=PATIENCE)
        if message["type"] == "websocket.close":
            return message["code"]
        return await page.receive_json_from()

    return await asyncio.gather(*map(one, pages))


async def leave(pages: Sequence[Page]) -> None:
    for page in pages:
        if not page.future.done():
            await page.disconnect(timeout=PATIENCE)


@pytest.mark.parametrize("number", [1, 12])
@live
async def test_sockets_that_open_together_cost_as_many_queries_as_one(alice: User, bob: User, number: int) -> None:
    games = [await in_thread(running)(alice, bob) for _ in range(number)]
    clients = [await in_thread(logged_in)(user) for user in (alice, bob)]
    pages = [browser(f"/ws/games/{game.slug}/", clients[place % 2]) for place, game in enumerate(games)]
    captured = CaptureQueriesContext(connection)
    await in_thread(captured.__enter__)()
    told = await answers(pages)
    await in_thread(captured.__exit__)(None, None, None)
    queries = await in_thread(len)(captured)
    await leave(pages)
    assert [frame["game"] for frame in told] == [game.slug for game in games]
    assert 0 < queries <= MOST_QUERIES


@live
async def test_each_of_many_is_let_in_by_its_own_login_and_token(alice: User, bob: User, mallory: User) -> None:
    private = await in_thread(running)(alice, bob, is_public=False)
    public = await in_thread(running)(alice, bob)
    hers, others = await in_thread(logged_in)(alice), await in_thread(logged_in)(mallory)
    closed, open_ = f"/ws/games/{private.slug}/", f"/ws/games/{public.slug}/"
    asked: list[tuple[str, Client | None]] = [
        (closed, hers),
        (closed, others),
        (closed, None),
        (f"{closed}?token={private.invite_token}", None),
        (f"{closed}?token=wrong", others),
        (open_, None),
        ("/ws/games/missing/", hers),
        ("/ws/me/", hers),
        ("/ws/me/", None),
        ("/ws/lobby/", others),
    ]
    pages = [browser(path, client) for path, client in asked]
    told = [frame if isinstance(frame, int) else frame["type"] for frame in await answers(pages)]
    await leave(pages)
    assert told == ["version", 4403, 4403, "version", 4403, "version", 4403, "list", 4403, "list"]


@live
async def test_a_login_that_does_not_hold_opens_what_a_visitor_may_see(alice: User, bob: User, mallory: User) -> None:
    async def told_to(client: Client) -> Any:
        [found] = await answers([page := browser("/ws/me/", client)])
        await leave([page])
        return found

    ended, inactive, changed = [await in_thread(logged_in)(user) for user in (alice, bob, mallory)]
    assert {(await told_to(client))["type"] for client in (ended, inactive, changed)} == {"list"}
    await in_thread(Session.objects.filter(user_id=alice.pk).delete)()
    await in_thread(User.objects.filter(pk=bob.pk).update)(is_active=False)
    mallory.set_password("another password")
    await in_thread(mallory.save)()
    assert [await told_to(client) for client in (ended, inactive, changed)] == [4403] * 3


@live
async def test_a_session_that_was_tampered_with_is_nobodys(alice: User, bob: User) -> None:
    def forged(user: User, **content: Any) -> Client:
        client = logged_in(user)
        session = client.session
        session.update(content)
        session.save()
        return client

    bot = await in_thread(User.objects.create_user)(username="A bot account", operator=alice)
    clients = [
        await in_thread(forged)(alice, **content)
        for content in (
            {"_auth_user_id": str(bot.pk)},
            {"_auth_user_id": str(bob.pk)},
            {"_auth_user_backend": "elsewhere.Backend"},
            {HASH_SESSION_KEY: ""},
        )
    ]
    forgeries = [browser("/ws/me/", client) for client in clients]
    garbled = await in_thread(logged_in)(alice)
    await in_thread(Session.objects.filter(pk=garbled.session.session_key).update)(session_data="no:session")
    pages = [*forgeries, browser("/ws/me/", garbled), browser("/ws/me/", await in_thread(logged_in)(bob))]
    told = await answers(pages)
    await leave(pages)
    assert told[:-1] == [4403] * (len(clients) + 1)
    assert told[-1]["type"] == "list"
