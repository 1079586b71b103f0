"""The stream of a game: the whole game in its first line, and again after every change."""

import asyncio
import random
from contextlib import AsyncExitStack
from typing import Any

import pytest
from channels.layers import get_channel_layer
from redis import RedisError

from accounts.models import ApiToken, Scope, User
from accounts.signals import tell_sessions_ended
from accounts.tokens import revoke_token, revoke_tokens
from games.actions.moves.resign import resign
from games.actions.tables.edit_table import edit_table
from games.base.terms import TableTerms
from games.models import Game
from games.realtime import open_sockets, streams
from games.realtime.groups import game_group
from games.realtime.open_sockets import registry
from tests.conftest import logged_in
from tests.games.api.conftest import Program
from tests.games.api.streams import Reader, answered, following, nudge, token_for
from tests.games.realtime.sockets import in_thread, live, opened
from tests.games.tables import ME, OPEN, advance, change, fresh, open_table, place, running

pytestmark = pytest.mark.django_db(transaction=True)


def path(game: Game) -> str:
    return f"games/{game.slug}/stream"


def shown(game: Game, secret: str = "") -> Any:
    """Return the game as its own address shows it."""
    return Program(secret).get(f"games/{game.slug}").json()


@live
async def test_the_first_line_is_the_game_and_every_change_brings_it_again(alice: User, bob: User) -> None:
    game, secret = await in_thread(running)(alice, bob, is_public=False), await token_for(alice)
    async with following(path(game), secret) as stream:
        assert await stream.line() == {"type": "game", **await in_thread(shown)(game, secret)}
        for happen in (lambda: advance(game, random.Random(1)), lambda: change(game)):
            await in_thread(happen)()
            assert await stream.line() == {"type": "game", **await in_thread(shown)(game, secret)}


@live
async def test_a_move_that_is_sent_by_a_program_reaches_visitors(alice: User, bob: User) -> None:
    game, secret = await in_thread(running)(alice, bob), await token_for(alice)
    async with following(path(game)) as stream:
        first = await stream.line()
        body = {"number": first["number"], "placement": "V3:a1,b1,a2"}
        answer = await in_thread(Program(secret).post)(f"games/{game.slug}/place", **body)
        line = await stream.line()
        assert (line["version"], len(line["moves"])) == (answer.json()["version"], 1)


@live
async def test_who_has_seen_a_version_is_told_what_is_newer_and_nothing_else(alice: User, bob: User) -> None:
    game = await in_thread(running)(alice, bob)
    async with following(f"{path(game)}?version={game.version}") as stream:
        assert await stream.line() is None
        await in_thread(advance)(game, random.Random(1))
        assert (await stream.line())["version"] == game.version + 1
    async with following(f"{path(game)}?version={game.version}") as late:
        assert (await late.line())["version"] == game.version + 1


@live
async def test_what_changes_while_a_stream_is_opened_is_not_missed(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await in_thread(running)(alice, bob)
    real = streams.open_stream

    def slow(*args: Any) -> Any:
        found = real(*args)
        place(game, "V3:a1,b1,a2")
        return found

    monkeypatch.setattr("games.api.endpoints.streams.open_stream", slow)
    async with following(path(game)) as stream:
        assert [(await stream.line())["version"] for _ in range(2)] == [game.version, game.version + 1]


@live
async def test_a_stream_ends_after_the_line_of_the_end_of_its_game(alice: User, bob: User) -> None:
    game = await in_thread(running)(alice, bob)
    async with following(path(game)) as stream:
        await stream.line()
        await in_thread(resign)(alice, game.slug)
        assert (await stream.line())["status"] == "finished"
        assert await stream.line() == ""
    _status, _headers, over = await answered(path(game))
    assert over["status"] == "finished"


@live
async def test_a_revoked_token_ends_its_stream_at_once_and_no_other(alice: User, bob: User) -> None:
    game, secret = await in_thread(running)(alice, bob), await token_for(alice)
    revoked = await in_thread(ApiToken.objects.get)()
    kept, his = await token_for(alice), await token_for(bob)
    async with (
        following(path(game), secret) as gone,
        following(path(game), kept) as stays,
        following(path(game)) as any_,
    ):
        for stream in (gone, stays, any_):
            await stream.line()
        assert await in_thread(revoke_token)(alice, revoked.pk)
        assert await gone.line() == ""
        async with following(path(game), his) as others:
            await others.line()
            await in_thread(revoke_tokens)(alice.pk)
            assert await stays.line() == ""
            await in_thread(advance)(game, random.Random(1))
            for stream in (others, any_):
                assert (await stream.line())["version"] == game.version + 1
    assert (await answered(path(game), secret))[0] == 401


@live
async def test_the_end_of_a_login_leaves_the_streams_of_the_tokens_alone(alice: User, bob: User) -> None:
    game, secret = await in_thread(running)(alice, bob), await token_for(alice)
    async with following(path(game), secret) as stream:
        await stream.line()
        await in_thread(tell_sessions_ended)(alice.pk)
        await in_thread(change)(game)
        assert (await stream.line())["version"] == game.version + 1


@live
async def test_what_nobody_tells_is_noticed_when_a_stream_asks(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "CHECK_EVERY", 0.0)
    monkeypatch.setattr(streams, "_checks", streams._doubts)
    game, secret = await in_thread(running)(alice, bob), await token_for(alice)
    async with following(path(game), secret) as hers, following(path(game)) as visitors:
        for stream in (hers, visitors):
            await stream.line()
        await in_thread(Game.objects.filter(pk=game.pk).update)(version=game.version + 1)
        for stream in (hers, visitors):
            assert (await stream.line())["version"] == game.version + 1
        await in_thread(Game.objects.filter(pk=game.pk).update)(is_public=False)
        assert await visitors.line() == ""
        await in_thread(ApiToken.objects.all().delete)()
        assert await hers.line() == ""


@live
async def test_a_silent_stream_sends_empty_lines(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "KEEP_ALIVE", 0.01)
    game = await in_thread(running)(alice, bob)
    async with following(path(game)) as stream:
        await stream.line()
        assert [await stream.line() for _ in range(3)] == [None] * 3
    assert streams.KEEP_ALIVE < 20


@live
async def test_a_private_game_is_answered_like_one_that_is_not_there(alice: User, bob: User, carol: User) -> None:
    game, secret = await in_thread(running)(alice, bob, is_public=False), await token_for(carol)
    for address in (path(game), "games/missing/stream"):
        for who in ("", secret):
            status, _headers, problem = await answered(address, who)
            assert (status, problem["code"]) == (404, "not-found")
    async with following(f"{path(game)}?token={game.invite_token}") as stream:
        assert (await stream.line())["slug"] == game.slug


@live
async def test_a_table_that_becomes_private_ends_the_streams_of_strangers_alone(alice: User) -> None:
    table, hers = await in_thread(open_table)(alice, ME, OPEN), await token_for(alice)
    terms = TableTerms.of(table, is_public=False)
    async with following(path(table)) as strangers, following(path(table), hers) as own:
        await strangers.line()
        await own.line()
        await in_thread(edit_table)(alice, table.slug, terms)
        assert await strangers.line() == ""
        assert (await own.line())["version"] == table.version + 1


@live
async def test_a_stream_needs_what_reading_needs(alice: User, bob: User) -> None:
    game, plays = await in_thread(running)(alice, bob), await token_for(alice, Scope.PLAY)
    answers = [await answered(path(game), secret) for secret in ("nonsense", plays)]
    assert [status for status, _headers, _problem in answers] == [401, 403]
    assert {headers["content-type"] for _status, headers, _problem in answers} == {"application/problem+json"}


@live
async def test_the_headers_are_those_of_an_answer_that_goes_on(alice: User, bob: User) -> None:
    game = await in_thread(running)(alice, bob)
    async with following(path(game), **{"accept-encoding": "gzip, br"}) as stream:
        found = stream.headers
        assert found["content-type"] == "application/x-ndjson"
        assert (found["cache-control"], found["x-accel-buffering"]) == ("no-store", "no")
        assert found["access-control-allow-origin"] == "*"
        assert found["x-content-type-options"] == "nosniff"
        assert not {"content-length", "content-encoding", "etag"} & set(found)
        assert (await stream.line())["slug"] == game.slug


@live
async def test_streams_count_with_the_sockets_of_a_person_and_of_an_address(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_sockets, "MOST_OF_ADDRESS", 3)
    monkeypatch.setattr(open_sockets, "MOST_OF_LOGIN", 1)
    game, secret = await in_thread(running)(alice, bob), await token_for(alice)
    async with AsyncExitStack() as streams_open:
        for _ in range(3):
            await streams_open.enter_async_context(following(path(game)))
        async with following(path(game), secret):
            for who in ("", secret):
                status, headers, problem = await answered(path(game), who)
                assert (status, headers["retry-after"], problem["code"]) == (429, "60", "too-many")
        async with following(path(game), secret):
            pass
        async with opened("/ws/me/", await in_thread(logged_in)(alice)):
            assert (await answered(path(game), secret))[0] == 429
    async with following(path(game)):
        pass
    assert not registry.own


@live
async def test_what_is_refused_takes_no_place(alice: User, bob: User) -> None:
    await answered("games/missing/stream")
    game = await in_thread(running)(alice, bob)
    await in_thread(resign)(alice, game.slug)
    await answered(path(game))
    assert not registry.own


@live
async def test_a_slow_reader_is_told_how_things_are_and_not_how_they_have_become_so(alice: User, bob: User) -> None:
    game = await in_thread(running)(alice, bob)
    scope, taken = Reader(path(game)).scope, asyncio.Event()
    asked: asyncio.Queue[Any] = asyncio.Queue()
    asked.put_nowait({"type": "http.request"})
    told: list[Any] = []
    second = asyncio.Event()

    async def send(message: Any) -> None:
        if message.get("body"):
            told.append(message["body"])
        if len(told) == 2:
            second.set()
            # The second line stands in a full connection.
            await taken.wait()

    from blockyou.asgi import routes

    request = asyncio.create_task(routes(scope, asked.get, send))
    while not told:
        await asyncio.sleep(0)
    await in_thread(advance)(game, random.Random(1))
    await second.wait()
    for seed in range(20):
        await in_thread(advance)(game, random.Random(seed))
    taken.set()
    last = (await in_thread(fresh)(game)).version
    while f'"version":{last},'.encode() not in told[-1]:
        await asyncio.sleep(0)
    asked.put_nowait({"type": "http.disconnect"})
    await request
    assert len(told) == 3


@live
async def test_a_reader_that_does_not_read_is_given_up(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "READER_SECONDS", 0.01)
    game = await in_thread(running)(alice, bob)
    scope, asked, told = Reader(path(game)).scope, asyncio.Queue[Any](), list[bytes]()
    asked.put_nowait({"type": "http.request"})

    async def send(message: Any) -> None:
        told.append(message.get("body", b""))
        if len(told) == 3 and message["more_body"]:
            await asyncio.Event().wait()

    from blockyou.asgi import routes

    request = asyncio.create_task(routes(scope, asked.get, send))
    while len(told) < 2:
        await asyncio.sleep(0)
    await in_thread(change)(game)
    await request
    assert not registry.own


@live
async def test_a_nudge_without_a_change_says_nothing(alice: User, bob: User) -> None:
    game = await in_thread(running)(alice, bob)
    async with following(path(game)) as stream:
        await stream.line()
        await nudge(game_group(game.slug))
        await in_thread(change)(game)
        assert (await stream.line())["version"] == game.version + 1


@live
async def test_without_news_of_changes_no_stream_is_opened_and_none_goes_on(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Redis may be away."""
    game, layer = await in_thread(running)(alice, bob), type(get_channel_layer())

    async def fail(*_anything: object) -> None:
        raise RedisError

    async def hang(*_anything: object) -> None:
        await asyncio.Event().wait()

    with monkeypatch.context() as patched:
        patched.setattr(layer, "group_add", fail, raising=False)
        status, headers, problem = await answered(path(game))
        assert (status, problem["code"], headers["retry-after"]) == (503, "unreachable", "5")
        patched.setattr(layer, "group_add", hang, raising=False)
        patched.setattr(streams, "ENTRY_SECONDS", 0.01)
        assert (await answered(path(game)))[0] == 503
    monkeypatch.setattr(layer, "receive", fail, raising=False)
    async with following(path(game)) as stream:
        await stream.line()
        assert await stream.line() == ""
    assert not registry.own


@live
async def test_a_process_that_ends_ends_its_streams(alice: User, bob: User) -> None:
    game = await in_thread(running)(alice, bob)
    async with following(path(game)) as stream:
        await stream.line()
        streams.end_streams()
        assert await stream.line() == ""


@live
async def test_a_stream_holds_neither_a_thread_nor_a_place_of_those_who_ask(alice: User, bob: User) -> None:
    """Four requests are answered at once; ten streams are open meanwhile."""
    game = await in_thread(running)(alice, bob)
    async with AsyncExitStack() as many:
        for _ in range(10):
            await many.enter_async_context(following(path(game)))
        assert (await answered(f"games/{game.slug}"))[2]["slug"] == game.slug


def test_only_the_head_is_answered_at_once(alice: User, bob: User) -> None:
    game = running(alice, bob)
    answer = Program().client.head(f"/api/v1/games/{game.slug}/stream")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/x-ndjson")
