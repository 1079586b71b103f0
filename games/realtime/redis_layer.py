"""The channel layer between processes, over Redis: what is subscribed to there are groups alone, many by one command.

The library's own layer also subscribes every socket to a channel of its own, which nobody sends to, does each by a
command and under one lock, reads every message anew for each socket that hears it, and keeps whatever comes for one
that does not read.
"""

import asyncio
import contextlib
import uuid
from collections.abc import Mapping
from typing import Any

from channels_redis.pubsub import RedisPubSubChannelLayer, RedisPubSubLoopLayer, RedisSingleShardConnection
from channels_redis.utils import _wrap_close, decode_hosts

from games.realtime.layer import Inbox


class RedisLayer(RedisPubSubChannelLayer):  # type: ignore[misc]  # channels_redis has no types
    """The layer of a process: one for each of its event loops. What it sends the library's layers understand."""

    def __init__(self, *, capacity: int = 1000, **options: Any) -> None:
        super().__init__(**options)
        self.capacity = capacity

    def _get_layer(self) -> "LoopLayer":
        loop = asyncio.get_running_loop()
        found: LoopLayer | None = self._layers.get(loop)
        if found is None:
            found = self._layers[loop] = LoopLayer(*self._args, **self._kwargs, channel_layer=self)
            _wrap_close(self, loop)
        return found


class LoopLayer(RedisPubSubLoopLayer):  # type: ignore[misc]  # channels_redis has no types
    """The layer of one event loop. A message is shared by all who hear it, and must not be changed.

    `channels` has what is told to those who hear, as long as something waits there or is waited for. A full one misses
    messages; pages find out by their heartbeat.
    """

    def __init__(self, hosts: Any = None, **options: Any) -> None:
        super().__init__(hosts=hosts, **options)
        self._shards = [GroupConnection(host, self) for host in decode_hosts(hosts)]

    async def new_channel(self, prefix: str = "specific.") -> str:
        """Return the name of a new channel, which nobody outside this process knows."""
        return f"{prefix}{uuid.uuid4().hex}"

    async def receive(self, channel: str) -> Mapping[str, Any]:
        """Return the next message of the channel, waiting for it."""
        inbox = self._inbox(channel)
        try:
            _expires, message = await inbox.get()
        finally:
            if inbox.empty():
                self.channels.pop(channel, None)
        return message

    async def group_add(self, group: str, channel: str) -> None:
        """Add the channel to the group. It receives messages as soon as this returns, unless Redis is unreachable.

        Raises:
            RedisError: Redis does not take the subscription.

        """
        name = self._get_group_channel_name(group)
        self.groups.setdefault(name, set()).add(channel)
        await self._get_shard(name).subscribe(name)

    async def group_discard(self, group: str, channel: str) -> None:
        """Remove the channel from the group, and drop the messages that it has not read."""
        name = self._get_group_channel_name(group)
        members = self.groups.get(name, set())
        if channel not in members:
            return
        members.remove(channel)
        self.channels.pop(channel, None)
        if not members:
            del self.groups[name]
            await self._get_shard(name).unsubscribe(name)

    def spread(self, name: str, content: bytes) -> None:
        """Deliver a group's message to all its members in this process."""
        members = self.groups.get(name)
        if not members:
            return
        entry = (0.0, self.channel_layer.deserialize(content))
        for channel in members:
            with contextlib.suppress(asyncio.QueueFull):
                self._inbox(channel).put_nowait(entry)

    def _inbox(self, channel: str) -> Inbox:
        inbox: Inbox | None = self.channels.get(channel)
        if inbox is None:
            inbox = self.channels[channel] = Inbox(self.channel_layer.capacity)
        return inbox


class GroupConnection(RedisSingleShardConnection):  # type: ignore[misc]  # channels_redis has no types
    """The connection over which groups are heard. Those that are joined at the same time are subscribed to together."""

    def __init__(self, host: Any, layer: LoopLayer) -> None:
        super().__init__(host, layer)
        self._wanted: set[str] = set()
        self._round: asyncio.Task[None] | None = None

    async def subscribe(self, channel: str) -> None:
        """Return once Redis has been sent the subscription.

        Raises:
            RedisError: it does not take it, or this process is cut off from it.

        """
        if channel in self._subscribed_to and self._is_connected():
            return
        self._wanted.add(channel)
        if self._round is None:
            self._round = asyncio.create_task(self._subscribe_wanted())
            self._round.add_done_callback(_look_at)
        # Of those that wait one may leave; the others still wait.
        await asyncio.shield(self._round)

    async def _subscribe_wanted(self) -> None:
        async with self._lock:
            wanted, self._wanted, self._round = self._wanted, set(), None
            self._ensure_redis()
            self._ensure_receiver()
            await self._pubsub.subscribe(*wanted)
            self._subscribed_to |= wanted

    async def unsubscribe(self, channel: str) -> None:
        """Unsubscribe from a group, unless a channel has joined it meanwhile."""
        async with self._lock:
            if channel in self._subscribed_to and channel not in self.channel_layer.groups:
                # Before it is said: who joins from here on subscribes anew.
                self._subscribed_to.remove(channel)
                await self._pubsub.unsubscribe(channel)

    def _is_connected(self) -> bool:
        connection = self._pubsub.connection if self._pubsub else None
        return connection is not None and connection.is_connected

    def _receive_message(self, message: Mapping[str, Any] | None) -> None:
        if message is not None:
            self.channel_layer.spread(message["channel"].decode(), message["data"])


def _look_at(task: asyncio.Task[None]) -> None:
    """Take note of how it ended: those who waited for it may all be gone."""
    if not task.cancelled():
        task.exception()
