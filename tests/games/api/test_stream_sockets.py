"""The streams over WebSocket: the lines of `GET`, the same doors and limits, and a close code that says why it ends."""

import asyncio
import random
import re
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from channels.layers import get_channel_layer
from django.test import Client
from redis import RedisError

from accounts.models import ApiToken, Scope, User
from accounts.tokens import revoke_token
from games.actions.moves.resign import resign
from games.models import Game
from games.realtime import open_sockets, programs, streams
from games.realtime.open_sockets import registry
from games.realtime.streams import End
from tests.conftest import logged_in
from tests.games.api.conftest import Program
from tests.games.api.streams import Listener, answered, following, listening, token_for
from tests.games.realtime.sockets import HOST, PATIENCE, in_thread, live, opened
from tests.games.tables import advance, change, running, take_turn

pytestmark = pytest.mark.django_db(transaction=True)
GUIDE = (Path(__file__).resolve().parents[3] / "docs" / "api.md").read_text()


def path(game: Game) -> str:
    return f"games/{game.slug}/stream"


async def refused(address: str, secret: str = "", **headers: str) -> tuple[Any, Any]:
    """Return the problem that a socket is told, and the code with which it is closed."""
    async with listening(address, secret, **headers) as socket:
        return await socket.line(), await socket.line()


@live
async def test_the_lines_of_a_game_are_those_of_the_plain_answer(alice: User, bob: User) -> None:
    game, secret = await in_thread(running)(alice, bob, is_public=False), await token_for(alice)
    async with following(path(game), secret) as plain, listening(path(game), secret) as socket:
        assert await socket.line() == await plain.line()
        for happen in (lambda: advance(game, random.Random(1)), lambda: change(game)):
            await in_thread(happen)()
            assert await socket.line() == await plain.line()


@live
async def test_the_lines_of_a_person_are_those_of_the_plain_answer(alice: User, bob: User) -> None:
    game, secret = await in_thread(running)(alice, bob), await token_for(bob)
    async with following("stream", secret) as plain, listening("stream", secret) as socket:
        assert await socket.line() == await plain.line()
        await in_thread(take_turn)(game)
        told = await socket.line()
        assert (told["type"], told) == ("my_turn", await plain.line())


@live
async def test_visitors_hear_of_a_public_game_and_go_on_from_the_version_they_have(alice: User, bob: User) -> None:
    game = await in_thread(running)(alice, bob)
    async with listening(f"{path(game)}?version={game.version}") as socket:
        assert await socket.line() is None
        await in_thread(advance)(game, random.Random(1))
        assert (await socket.line())["version"] == game.version + 1


@live
async def test_the_line_of_the_end_of_a_game_is_the_last_one(alice: User, bob: User) -> None:
    game = await in_thread(running)(alice, bob)
    async with listening(path(game)) as socket:
        await socket.line()
        await in_thread(resign)(alice, game.slug)
        assert (await socket.line())["status"] == "finished"
        assert await socket.line() == End.NOTHING_MORE
    assert (await refused(path(game)))[1] == End.NOTHING_MORE


@live
async def test_what_is_refused_is_told_as_the_plain_answer_tells_it(alice: User, bob: User, carol: User) -> None:
    game = await in_thread(running)(alice, bob, is_public=False)
    plays, hers = await token_for(alice, Scope.PLAY), await token_for(carol)
    asked = [
        ("stream", ""),
        ("stream", "nonsense"),
        (path(game), plays),
        (path(game), hers),
        ("games/missing/stream", hers),
        (f"{path(game)}?version=x", ""),
        ("nothing/stream", ""),
    ]
    codes = []
    for address, secret in asked:
        status, _headers, problem = await answered(address, secret)
        assert await refused(address, secret) == (problem, 4000 + status)
        codes.append(status)
    assert codes == [401, 401, 403, 404, 404, 400, 404]


@live
async def test_a_revoked_token_ends_its_sockets_at_once_and_others_stay(alice: User, bob: User) -> None:
    game, gone, stays = await in_thread(running)(alice, bob), await token_for(alice), await token_for(alice)
    first = await in_thread(ApiToken.objects.earliest)("pk")
    async with (
        listening(path(game), gone) as one,
        listening("stream", gone) as two,
        listening(path(game), stays) as kept,
    ):
        for socket in (one, two, kept):
            await socket.line()
        await in_thread(revoke_token)(alice, first.pk)
        assert [await one.line(), await two.line()] == [End.TOKEN_ENDED] * 2
        await in_thread(change)(game)
        assert (await kept.line())["version"] == game.version + 1


@live
async def test_a_game_that_was_made_private_is_not_found_any_more(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "CHECK_EVERY", 0.0)
    monkeypatch.setattr(streams, "_checks", streams._doubts)
    game = await in_thread(running)(alice, bob)
    async with listening(path(game)) as socket:
        await socket.line()
        await in_thread(Game.objects.filter(pk=game.pk).update)(is_public=False)
        assert await socket.line() == End.NOT_FOUND


@live
async def test_without_redis_no_socket_opens_and_none_goes_on(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, layer = await in_thread(running)(alice, bob), type(get_channel_layer())

    async def fail(*_anything: object) -> None:
        raise RedisError

    with monkeypatch.context() as patched:
        patched.setattr(layer, "group_add", fail, raising=False)
        problem, code = await refused(path(game))
        assert (problem["code"], problem["retry_after"], code) == ("unreachable", 5, End.UNREACHABLE)
    monkeypatch.setattr(layer, "receive", fail, raising=False)
    async with listening(path(game)) as socket:
        await socket.line()
        assert await socket.line() == End.UNREACHABLE
    assert not registry.own


@live
async def test_a_silent_socket_sends_empty_lines(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "KEEP_ALIVE", 0.01)
    game = await in_thread(running)(alice, bob)
    async with listening(path(game)) as socket:
        await socket.line()
        assert [await socket.line() for _ in range(3)] == [None] * 3


@live
async def test_sockets_count_with_plain_streams_and_pages(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_sockets, "MOST_OF_LOGIN", 2)
    game, secret = await in_thread(running)(alice, bob), await token_for(alice)
    async with AsyncExitStack() as streams_open:
        await streams_open.enter_async_context(listening(path(game), secret))
        await streams_open.enter_async_context(opened("/ws/me/", await in_thread(logged_in)(alice)))
        problem, code = await refused("stream", secret)
        assert (problem["code"], problem["retry_after"], code) == ("too-many", 60, 4429)
        assert (await answered("stream", secret))[0] == 429
    async with listening("stream", secret) as socket:
        assert (await socket.line())["type"] == "games"
    assert not registry.own


@live
async def test_opening_sockets_counts_with_other_requests(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.api.door.REQUESTS_A_MINUTE", 2)
    secret = await token_for(alice)
    async with listening("stream", secret):
        assert (await in_thread(Program(secret).get)("me")).status_code == 200
    problem, code = await refused("stream", secret)
    assert (problem["code"], code) == ("too-many", 4429)


@pytest.mark.parametrize("origin", ["http://evil.example.com", "null", "", "http://testserver:8001"])
@live
async def test_a_page_of_another_site_opens_none(alice: User, bob: User, origin: str) -> None:
    game = await in_thread(running)(alice, bob)
    socket = Listener(path(game), await token_for(alice), origin=origin)
    await socket.send_input({"type": "websocket.connect"})
    assert await socket.receive_output(timeout=PATIENCE) == {"type": "websocket.close", "code": programs.FOREIGN}


@live
async def test_a_page_of_this_site_may_follow_what_everybody_may_see(alice: User, bob: User) -> None:
    game = await in_thread(running)(alice, bob)
    async with listening(path(game), origin=f"http://{HOST}") as socket:
        assert (await socket.line())["slug"] == game.slug


@live
async def test_the_cookie_of_a_browser_counts_for_nothing(alice: User, bob: User) -> None:
    client: Client = await in_thread(logged_in)(alice)
    cookie = f"sessionid={client.cookies['sessionid'].value}"
    assert (await refused("stream", origin=f"http://{HOST}", cookie=cookie))[1] == End.TOKEN_ENDED


@live
async def test_a_token_in_the_address_opens_nothing(alice: User) -> None:
    secret = await token_for(alice)
    for query in ("token", "authorization", "access_token"):
        assert (await refused(f"stream?{query}={secret}"))[1] == End.TOKEN_ENDED


@pytest.mark.parametrize("frame", [{"text": '{"type": "ping"}'}, {"text": ""}, {"bytes": b"\x00"}])
@live
async def test_a_socket_is_for_listening_and_closes_where_something_is_said(
    alice: User, bob: User, frame: dict[str, Any]
) -> None:
    game = await in_thread(running)(alice, bob)
    async with listening(path(game)) as socket, listening(path(game)) as other:
        await socket.line()
        await other.line()
        await socket.send_input({"type": "websocket.receive", **frame})
        assert await socket.line() == End.UNEXPECTED_INPUT
        await in_thread(change)(game)
        assert (await other.line())["version"] == game.version + 1


@live
async def test_a_process_that_ends_says_so(alice: User, bob: User) -> None:
    game = await in_thread(running)(alice, bob)
    async with listening(path(game)) as socket:
        await socket.line()
        streams.end_streams()
        assert await socket.line() == End.RESTARTING


@live
async def test_a_reader_who_does_not_read_is_given_up(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    from blockyou.asgi import routes

    monkeypatch.setattr(streams, "READER_SECONDS", 0.01)
    game = await in_thread(running)(alice, bob)
    asked, told = asyncio.Queue[Any](), list[Any]()
    asked.put_nowait({"type": "websocket.connect"})

    async def send(message: Any) -> None:
        told.append(message)
        # The second line stands in a full connection.
        if len(told) == 3:
            await asyncio.Event().wait()

    socket = asyncio.create_task(routes(Listener(path(game)).scope, asked.get, send))
    while len(told) < 2:
        await asyncio.sleep(0)
    await in_thread(change)(game)
    await socket
    assert told[-1] == {"type": "websocket.close", "code": End.TOO_SLOW}
    assert not registry.own


@live
async def test_a_stream_that_fails_says_so(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await in_thread(running)(alice, bob)

    async def fail(*_anything: object) -> None:
        raise RuntimeError

    async with listening(path(game)) as socket:
        await socket.line()
        monkeypatch.setattr(streams._changes, "answer", fail)
        await in_thread(change)(game)
        assert await socket.line() == End.FAILED


@live
async def test_sockets_of_pages_stay_as_they_were(alice: User, bob: User) -> None:
    game = await in_thread(running)(alice, bob)
    async with opened(f"/ws/games/{game.slug}/") as page:
        assert await page.receive_json_from() == {"type": "version", "game": game.slug, "version": game.version}
    for address in (f"games/{game.slug}", "me"):
        socket = Listener(address)
        await socket.send_input({"type": "websocket.connect"})
        assert (await socket.receive_output(timeout=PATIENCE))["type"] == "websocket.close"


def test_the_guide_lists_every_close_code() -> None:
    table = GUIDE[GUIDE.index("| close code |") :].split("\n\n")[0]
    listed = {int(code) for code in re.findall(r"^\| (\d{4}) \|", table, re.MULTILINE)}
    # Those by which the answer of a request is said, beside those by which a stream ends.
    refusals = {programs.REFUSED + status for status in (400, 401, 403, 404, 429, 500, 503)}
    assert listed == {int(code) for code in End} | refusals
