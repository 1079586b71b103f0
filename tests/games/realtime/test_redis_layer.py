"""The layer over Redis: what is told reaches every member of the group in every process, by few commands."""

import asyncio
import os
from typing import Any

import pytest
from channels.layers import channel_layers
from django.conf import settings
from redis import Redis, RedisError

from tests.games.realtime.sockets import live

pytestmark = [
    pytest.mark.database,
    pytest.mark.skipif("REDIS_URL" not in os.environ, reason="needs Redis (.ci/run starts it)"),
]

NUDGE = {"type": "nudge", "text": "{}"}


def new_layer(**options: Any) -> Any:
    """Return a layer with connections of its own, as another process would have it."""
    config = settings.CHANNEL_LAYERS["default"]["CONFIG"]
    return channel_layers._make_backend("default", {**config, **options})  # what Channels itself does


async def members(layer: Any, group: str, number: int) -> list[str]:
    channels = [await layer.new_channel() for _ in range(number)]
    await asyncio.gather(*(layer.group_add(group, channel) for channel in channels))
    return channels


async def told(layer: Any, channel: str) -> Any:
    async with asyncio.timeout(10):
        return await layer.receive(channel)


def commands() -> dict[str, int]:
    """Return how often Redis has been asked for each command."""
    stats = Redis.from_url(settings.REDIS_URL).info("commandstats")
    return {name.removeprefix("cmdstat_"): figures["calls"] for name, figures in stats.items()}


@live
async def test_every_member_in_every_process_hears_what_the_group_is_told() -> None:
    layer, other = new_layer(), new_layer()
    ours, theirs = await members(layer, "game.x", 2), await members(other, "game.x", 1)
    elsewhere = await members(other, "game.y", 1)
    await layer.group_send("game.x", NUDGE)
    assert [await told(layer, channel) for channel in ours] == [NUDGE] * 2
    assert await told(other, theirs[0]) == NUDGE
    await layer.group_send("game.y", {**NUDGE, "text": "y"})
    assert (await told(other, elsewhere[0]))["text"] == "y"
    await asyncio.gather(layer.flush(), other.flush())


@live
async def test_sockets_that_open_together_subscribe_by_one_command_and_to_groups_alone() -> None:
    layer = new_layer()
    await members(layer, "game.first", 1)
    before = commands()["subscribe"]
    await asyncio.gather(*(members(layer, f"game.{number}", 2) for number in range(20)))
    assert commands()["subscribe"] - before == 1
    await members(layer, "game.1", 3)
    assert commands()["subscribe"] - before == 1
    await layer.flush()


@live
async def test_a_channel_that_is_not_read_misses_messages_and_harms_nobody() -> None:
    layer = new_layer(capacity=2)
    slow, quick = await members(layer, "game.x", 2)
    for number in range(5):
        await layer.group_send("game.x", {**NUDGE, "number": number})
        assert (await told(layer, quick))["number"] == number
    assert [(await told(layer, slow))["number"] for _ in range(2)] == [0, 1]
    await layer.flush()


@live
async def test_who_joins_while_the_last_one_leaves_hears_what_is_told() -> None:
    layer = new_layer()
    [first] = await members(layer, "game.x", 1)
    for _ in range(20):
        second = await layer.new_channel()
        await asyncio.gather(layer.group_discard("game.x", first), layer.group_add("game.x", second))
        await layer.group_send("game.x", NUDGE)
        assert await told(layer, second) == NUDGE
        first = second
    await layer.group_discard("game.x", first)
    assert not layer.groups
    assert not layer.channels
    await layer.flush()


@live
async def test_a_group_that_others_have_joined_is_joined_by_nobody_while_redis_is_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    layer = new_layer()
    await members(layer, "game.x", 1)
    connection = layer._shards[0]._pubsub.connection
    connection.host, connection.port = "127.0.0.1", 1
    await connection.disconnect()
    with pytest.raises(RedisError):
        await layer.group_add("game.x", await layer.new_channel())
    await layer.flush()
