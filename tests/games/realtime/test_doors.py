"""Who is let in. B8: a private game and a missing one are refused alike, and so is any other address."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from tests.conftest import logged_in
from tests.games.realtime.sockets import browser, in_thread, live
from tests.games.tables import running

pytestmark = pytest.mark.django_db(transaction=True)

PUBLIC_URL = "http://127.0.0.1:8000"


async def handshake(path: str, client: Client | None = None, **options: Any) -> dict[str, Any]:
    """Return everything the site says to a handshake, up to and including its yes or no."""
    socket = browser(path, client, **options)
    await socket.send_input({"type": "websocket.connect"})
    answer = await socket.receive_output(timeout=5)
    socket.stop()
    return answer


@pytest.mark.parametrize("who", ["nobody", "mallory"])
@live
async def test_private_missing_and_impossible_games_are_refused_alike(
    alice: User, bob: User, mallory: User, who: str
) -> None:
    game = await in_thread(running)(alice, bob, is_public=False)
    client = await in_thread(logged_in)(mallory) if who == "mallory" else None
    paths = [f"/ws/games/{slug}/" for slug in (game.slug, "missing", "NOT-A-SLUG", "a" * 5000, "%00")]
    answers = [await handshake(path, client) for path in [*paths, "/ws/", "/ws/elsewhere/", "/"]]
    assert answers == [{"type": "websocket.close", "code": 4403}] * len(answers)


@live
async def test_players_and_holders_of_the_link_are_let_in_to_a_private_game(alice: User, bob: User) -> None:
    game = await in_thread(running)(alice, bob, is_public=False)
    client = await in_thread(logged_in)(bob)
    assert (await handshake(f"/ws/games/{game.slug}/", client))["type"] == "websocket.accept"
    assert (await handshake(f"/ws/games/{game.slug}/?token={game.invite_token}"))["type"] == "websocket.accept"
    assert (await handshake(f"/ws/games/{game.slug}/?token=wrong"))["type"] == "websocket.close"


@live
async def test_my_lists_are_for_people_who_are_logged_in(alice: User) -> None:
    assert (await handshake("/ws/me/"))["type"] == "websocket.close"
    assert (await handshake("/ws/me/", await in_thread(logged_in)(alice)))["type"] == "websocket.accept"
    assert (await handshake("/ws/lobby/"))["type"] == "websocket.accept"


@pytest.mark.parametrize(
    ("origin", "is_let_in"),
    [
        ("http://testserver", True),
        ("HTTP://TESTSERVER", True),
        ("https://testserver", True),
        (PUBLIC_URL, True),
        (None, False),
        ("null", False),
        ("", False),
        ("http://evil.example.com", False),
        ("http://testserver.evil.example.com", False),
        ("http://evil-testserver", False),
        ("http://testserver:8001", False),
        ("file://", False),
        ("http://testserver@evil.example.com", False),
    ],
)
@live
async def test_only_pages_of_this_site_may_open_sockets(
    settings: Settings, origin: str | None, is_let_in: bool
) -> None:
    settings.PUBLIC_URL = PUBLIC_URL
    answer = await handshake("/ws/lobby/", origin=origin)
    assert (answer["type"] == "websocket.accept") is is_let_in


@live
async def test_a_host_that_the_site_does_not_answer_to_opens_nothing(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["elsewhere.example.org"]
    assert (await handshake("/ws/lobby/"))["type"] == "websocket.close"
