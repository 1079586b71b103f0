"""The layer within one process: what is told reaches every member of the group, and nothing is left behind."""

import asyncio
import gc
import os
import threading
from pathlib import Path

import pytest
from channels.layers import channel_layers

from games.realtime.layer import LocalLayer
from tests.games.realtime.sockets import live, opened
from tests.proof import proof

#: Pages that are open at the same time: half of what an address may have.
AT_ONCE = 50


async def members(layer: LocalLayer, group: str, number: int) -> list[str]:
    channels = [await layer.new_channel() for _ in range(number)]
    for channel in channels:
        await layer.group_add(group, channel)
    return channels


@live
async def test_every_member_receives_what_the_group_is_told() -> None:
    layer = LocalLayer()
    channels = await members(layer, "game.x", 3)
    await members(layer, "game.y", 1)
    await layer.group_send("game.x", {"type": "nudge"})
    assert [await layer.receive(channel) for channel in channels] == [{"type": "nudge"}] * 3
    assert not layer.channels


@live
async def test_another_thread_can_tell_without_an_event_loop() -> None:
    layer = LocalLayer()
    [channel] = await members(layer, "game.x", 1)
    thread = threading.Thread(target=layer.tell, args=([("game.x", {"type": "nudge"})],))
    thread.start()
    async with asyncio.timeout(5):
        assert await layer.receive(channel) == {"type": "nudge"}
    thread.join()


def test_a_process_without_sockets_tells_nobody() -> None:
    layer = LocalLayer()
    layer.tell([("game.x", {"type": "nudge"})])
    assert not layer.groups
    assert not layer.channels


@live
async def test_a_full_channel_misses_messages_and_harms_nobody() -> None:
    layer = LocalLayer(capacity=2)
    slow, quick = await members(layer, "game.x", 2)
    for number in range(5):
        await layer.group_send("game.x", {"type": "nudge", "number": number})
        assert (await layer.receive(quick))["number"] == number
    assert [(await layer.receive(slow))["number"] for _ in range(2)] == [0, 1]


@live
async def test_messages_nobody_reads_expire(monkeypatch: pytest.MonkeyPatch) -> None:
    layer = LocalLayer(expiry=-1)
    await members(layer, "game.x", 2)
    await layer.group_send("game.x", {"type": "nudge"})
    monkeypatch.setattr(layer, "_cleaned", -1000.0)
    await layer.group_send("game.y", {"type": "nudge"})
    assert not layer.channels


@live
async def test_a_group_without_members_is_forgotten() -> None:
    layer = LocalLayer()
    [channel] = await members(layer, "game.x", 1)
    await layer.group_discard("game.x", channel)
    assert not layer.groups


@live
async def test_a_name_that_no_group_can_have_is_refused() -> None:
    with pytest.raises(TypeError):
        await LocalLayer().group_send("game x", {})


async def come_and_go(number: int) -> None:
    """Have so many pages open a socket, hear what it says first, and close it, `AT_ONCE` at a time."""

    async def one() -> None:
        async with opened("/ws/lobby/") as page:
            assert (await page.receive_json_from())["type"] == "list"

    for _ in range(number // AT_ONCE):
        await asyncio.gather(*(one() for _ in range(AT_ONCE)))


def held_bytes() -> int:
    """Return how much memory this process holds once what is of no use has been collected."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("number", [500, *proof(10_000)])
@live
async def test_connections_that_have_ended_leave_no_group_and_hardly_any_memory(
    monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    layer = LocalLayer()
    monkeypatch.setitem(channel_layers.backends, "default", layer)
    # What the first ones load stays, and so does what is open at the most.
    await come_and_go(500)
    before = held_bytes()
    await come_and_go(number)
    assert (layer.groups, layer.channels) == ({}, {})
    assert held_bytes() <= 1.05 * before
