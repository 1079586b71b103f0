"""A channel layer within one process, tuned for many sockets that receive small messages.

The stock layer copies every message for every channel, starts a task for each, and walks every membership of every
group whenever anything is received: with thousands of sockets that walk is most of the work.
"""

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import Any

from channels.layers import InMemoryChannelLayer

#: Seconds between two walks over everything that may have expired.
CLEAN_EVERY = 10.0


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
        """Put each message before its group, from any thread and without waiting for the readers' event loop.

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
        """Put the message before every member of the group."""
        self.require_valid_group_name(group)
        self._spread([(group, message)])

    def _spread(self, messages: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
        self._clean_expired()
        expires = time.time() + self.expiry
        for group, message in messages:
            for channel in tuple(self.groups.get(group, ())):
                self._put(channel, (expires, message))

    def _put(self, channel: str, entry: tuple[float, Mapping[str, Any]]) -> None:
        queue = self._queue(channel)
        if not queue.full():
            queue.put_nowait(entry)

    async def receive(self, channel: str) -> Mapping[str, Any]:
        """Return the next message of the channel, waiting for it."""
        self._clean_expired()
        queue = self._queue(channel)
        try:
            _expires, message = await queue.get()
        finally:
            if queue.empty():
                self.channels.pop(channel, None)
        return message

    def _queue(self, channel: str) -> "asyncio.Queue[tuple[float, Mapping[str, Any]]]":
        """Return the channel's queue; the stock layer makes one for nothing at every call."""
        queue = self.channels.get(channel)
        if queue is None:
            queue = self.channels[channel] = asyncio.Queue(maxsize=self.get_capacity(channel))
        found: asyncio.Queue[tuple[float, Mapping[str, Any]]] = queue
        return found
