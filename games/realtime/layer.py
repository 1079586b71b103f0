"""A channel layer within one process, tuned for many sockets that receive small messages.

The stock layer copies every message for every channel, starts a task for each, and walks every membership of every
group whenever anything is received: with thousands of sockets that walk is most of the work.
"""

import asyncio
import contextlib
import time
from collections.abc import Mapping, Sequence
from typing import Any

from channels.layers import InMemoryChannelLayer

#: Seconds between two walks over everything that may have expired.
CLEAN_EVERY = 10.0

#: A message, and when it expires.
Entry = tuple[float, Mapping[str, Any]]


class Inbox:
    """The messages of a channel for its one reader: the needed part of `asyncio.Queue`, in a tenth of its 2.5 KiB.

    Every open page and stream has one.
    """

    __slots__ = ("_capacity", "_queue", "_waiter")

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        # The stock layer looks into a queue under this name for what has expired.
        self._queue: list[Entry] = []
        self._waiter: asyncio.Future[None] | None = None

    def empty(self) -> bool:
        """Return whether there is no message."""
        return not self._queue

    def put_nowait(self, entry: Entry) -> None:
        """Put a message in, and wake the reader.

        Raises:
            asyncio.QueueFull: there are as many as there may be.

        """
        if len(self._queue) >= self._capacity:
            raise asyncio.QueueFull
        self._queue.append(entry)
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def get_nowait(self) -> Entry:
        """Take the first message out."""
        return self._queue.pop(0)

    async def get(self) -> Entry:
        """Take the first message out, waiting for it."""
        while not self._queue:
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        return self.get_nowait()


class LocalLayer(InMemoryChannelLayer):  # type: ignore[misc]  # channels has no types
    """The in-memory layer with its expiry walk throttled and messages shared instead of copied.

    A message given to `group_send` must not be changed afterwards. A full channel misses the message, as the
    specification of layers allows; pages find out by their heartbeat.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._cleaned = 0.0
        self._home: asyncio.AbstractEventLoop | None = None

    async def new_channel(self, prefix: str = "specific.") -> str:
        """Return a new channel's name, and remember the event loop that its reader runs in."""
        self._home = asyncio.get_running_loop()
        name: str = await super().new_channel(prefix)
        return name

    def tell(self, messages: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
        """Deliver each message to its group, from any thread and without waiting for the readers' event loop.

        Where this process has no readers, as in a worker, nothing is sent.
        """
        if self.groups and self._home is not None and not self._home.is_closed():
            self._home.call_soon_threadsafe(self._spread, messages)

    def _clean_expired(self) -> None:
        now = time.monotonic()
        if now - self._cleaned >= CLEAN_EVERY:
            self._cleaned = now
            super()._clean_expired()

    async def group_send(self, group: str, message: Mapping[str, Any]) -> None:
        """Deliver the message to every member of the group."""
        self.require_valid_group_name(group)
        self._spread([(group, message)])

    def _spread(self, messages: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
        self._clean_expired()
        expires = time.time() + self.expiry
        for group, message in messages:
            for channel in tuple(self.groups.get(group, ())):
                self._put(channel, (expires, message))

    def _put(self, channel: str, entry: Entry) -> None:
        with contextlib.suppress(asyncio.QueueFull):
            self._inbox(channel).put_nowait(entry)

    async def receive(self, channel: str) -> Mapping[str, Any]:
        """Return the next message of the channel, waiting for it."""
        self._clean_expired()
        inbox = self._inbox(channel)
        try:
            _expires, message = await inbox.get()
        finally:
            if inbox.empty():
                self.channels.pop(channel, None)
        return message

    def _inbox(self, channel: str) -> Inbox:
        """Return the channel's messages; the stock layer makes a queue for nothing at every call."""
        inbox: Inbox | None = self.channels.get(channel)
        if inbox is None:
            inbox = self.channels[channel] = Inbox(self.get_capacity(channel))
        return inbox
