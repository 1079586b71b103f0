"""The stream of a person: what waits for them at first, then everything that happens in their games."""

import json
import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.people.reopen_game import reopen_game
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.join_game import join_game
from games.actions.tables.leave_game import leave_game
from games.api.topics import MyTopic
from games.models import Game
from games.realtime.groups import user_group
from games.realtime.streams import read_topics
from tests.games.api.conftest import Program
from tests.games.api.streams import Reader, answered, following, nudge, token_for
from tests.games.realtime.sockets import in_thread, live
from tests.games.tables import ME, OPEN, advance, bot, change, fresh, invited, open_table, running, take_turn

pytestmark = pytest.mark.django_db(transaction=True)


async def heard(stream: Reader, happen: Callable[[], Any], lines: int = 1) -> list[tuple[str, str]]:
    """Return what the next lines say after something has happened, by kind and game."""
    await in_thread(happen)()
    found = [await stream.line() for _ in range(lines)]
    return [(line["type"], line["slug"]) for line in found]


@live
async def test_the_first_line_is_what_waits(alice: User, bob: User) -> None:
    secret = await token_for(alice)
    await in_thread(running)(alice, bob)
    await in_thread(open_table)(bob, ME, invited("alice"))
    async with following("stream", secret) as stream:
        lists = (await in_thread(Program(secret).get)("games")).json()
        assert [len(lists[key]) for key in ("turn", "invited")] == [1, 1]
        assert await stream.line() == {"type": "games", **lists}


@live
async def test_a_game_is_told_from_its_start_to_its_end(alice: User, bob: User) -> None:
    table = await in_thread(open_table)(alice, ME, OPEN)
    async with following("stream", await token_for(alice)) as hers, following("stream", await token_for(bob)) as his:
        for stream in (hers, his):
            await stream.line()
        slug = table.slug
        begun = await heard(hers, lambda: join_game(bob, slug, token=table.invite_token), lines=2)
        assert begun == [("started", slug), ("my_turn", slug)]
        assert await heard(his, lambda: advance(table, random.Random(1)), lines=2) == [
            ("started", slug),
            ("my_turn", slug),
        ]
        assert await heard(hers, lambda: advance(table, random.Random(2))) == [("my_turn", slug)]
        assert await heard(his, lambda: resign(alice, slug)) == [("finished", slug)]
        line = await hers.line()
        assert (line["type"], line["status"]) == ("finished", "finished")
        assert line["version"] == (await in_thread(fresh)(table)).version


@live
async def test_a_turn_names_the_move_that_is_due(alice: User, bob: User) -> None:
    game = await in_thread(running)(alice, bob)
    async with following("stream", await token_for(bob)) as stream:
        await stream.line()
        await in_thread(take_turn)(game)
        line = await stream.line()
        assert (line["type"], line["number"], line["me"], line["variant"]) == ("my_turn", 2, 1, game.variant)


@live
async def test_an_invitation_is_told_and_so_is_the_end_of_its_table(alice: User, bob: User) -> None:
    async with following("stream", await token_for(bob)) as stream:
        await stream.line()
        made: list[Game] = []
        told = await heard(stream, lambda: made.append(open_table(alice, ME, invited("bob"))))
        assert told == [("invited", made[0].slug)]
        assert await heard(stream, lambda: cancel_game(alice, made[0].slug)) == [("cancelled", made[0].slug)]


@live
async def test_a_game_that_begins_at_once_is_told(alice: User) -> None:
    async with following("stream", await token_for(alice)) as stream:
        await stream.line()
        told = await heard(stream, lambda: open_table(alice, ME, bot()), lines=2)
        assert [kind for kind, _slug in told] == ["started", "my_turn"]


@live
async def test_what_is_no_event_of_the_person_says_nothing(alice: User, bob: User, carol: User) -> None:
    game = await in_thread(running)(alice, bob)
    table = await in_thread(open_table)(carol, ME, OPEN, OPEN)
    async with following("stream", await token_for(bob)) as stream:
        await stream.line()
        await in_thread(join_game)(bob, table.slug, token=table.invite_token)
        await in_thread(leave_game)(bob, table.slug)
        await in_thread(change)(game)
        await nudge(user_group(bob.pk))
        assert await heard(stream, lambda: take_turn(game)) == [("my_turn", game.slug)]


def said_by(topic: MyTopic) -> bytes:
    """Return what is said now; the topic remembers it."""
    [news] = read_topics([topic])
    assert news
    return news.lines


def test_a_game_that_was_put_away_is_no_new_one_when_it_comes_back(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, topic = running(alice, bob), MyTopic(alice, None)
    said_by(topic)
    with monkeypatch.context() as away:
        away.setattr("games.queries.people.happenings.going_seats", lambda _user, keys: {key: [] for key in keys})
        assert said_by(topic) == b""
    lines = said_by(topic)
    assert (lines.count(b"\n"), b'"my_turn"' in lines, game.slug.encode() in lines) == (1, True, True)


def test_a_game_that_was_put_away_before_has_not_started_when_it_is_taken_up_again(alice: User) -> None:
    game = open_table(alice, ME, bot(), is_public=False)
    Game.objects.update(turn_since=timezone.now() - timedelta(days=15))
    topic = MyTopic(alice, None)
    [line] = json.loads(said_by(topic))["away"]
    assert line["slug"] == game.slug
    reopen_game(alice, game.slug)
    [event] = said_by(topic).splitlines()
    assert (json.loads(event)["type"], json.loads(event)["slug"]) == ("my_turn", game.slug)


def test_programs_of_one_person_that_know_the_same_are_told_by_one_look(alice: User, bob: User) -> None:
    first, second, late = (MyTopic(alice, None) for _ in range(3))
    read_topics([first, second])
    running(alice, bob)
    with CaptureQueriesContext(connection) as alone:
        expected = said_by(MyTopic(alice, None))
    with CaptureQueriesContext(connection) as together:
        lines = [said.lines for said in read_topics([first, second]) if said]
    assert len(together) <= len(alone)
    assert lines[0] == lines[1]
    assert b'"my_turn"' in lines[0] or b'"started"' in lines[0]
    # One that came later knows less, and is told the whole.
    assert said_by(late) == expected


@live
async def test_nobody_follows_without_a_token(alice: User) -> None:
    status, headers, problem = await answered("stream")
    assert (status, problem["code"], headers["www-authenticate"][:6]) == (401, "token", "Bearer")
