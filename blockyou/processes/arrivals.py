"""Sockets that come to a web process which has just started: let in at a steady pace, in the order in which they came.

The pages of a process that has ended come back over some seconds (static/realtime/link.js). Those whose turn came while
its successor was still starting wait in the port's queue, and all stand at the door when it answers: on a busy machine
nearly all there are. Let in together they would have the process for themselves, and moves would wait for them.
"""

import asyncio
import math
from collections import deque
from collections.abc import Callable, MutableMapping
from contextlib import suppress
from typing import Any

from games.realtime.origin import App, AsgiScope, Receive, Send

#: Seconds from a process's first socket in which they are let in at a pace. A page waits for 15 until its socket opens.
PACED_SECONDS = 11.0
#: Seconds between two lots, and how many are let in at least with each: of a thousand that wait, as many as come in by
#: that in the time. Those of a lot share their queries.
TICK_SECONDS, AT_ONCE = 0.25, 22


def _later(seconds: float, task: Callable[[], None]) -> None:
    asyncio.get_running_loop().call_later(seconds, task)


class Arrivals:
    """The sockets that wait to be let in; none does once the time is over."""

    def __init__(
        self,
        clock: Callable[[], float] = lambda: asyncio.get_running_loop().time(),
        later: Callable[[float, Callable[[], None]], None] = _later,
    ) -> None:
        self.clock, self.later = clock, later
        self.waiting: deque[asyncio.Future[None]] = deque()
        self.ends_at = math.inf
        self.free = AT_ONCE
        self.has_begun = self.is_over = False

    def arrive(self) -> asyncio.Future[None] | None:
        """Return what is done when a socket that has just come is let in; None where it is at once."""
        if not self.has_begun:
            self.has_begun, self.ends_at = True, self.clock() + PACED_SECONDS
            self.later(TICK_SECONDS, self.admit_batch)
        if self.is_over or self.free:
            self.free -= not self.is_over
            return None
        turn = asyncio.get_running_loop().create_future()
        self.waiting.append(turn)
        return turn

    def admit_batch(self) -> None:
        """Admit the next batch: so many that all who wait are in when the time is over."""
        left = self.ends_at - self.clock()
        if self.is_over or left <= 0:
            self.end()
            return
        self.free = max(AT_ONCE, math.ceil(len(self.waiting) * TICK_SECONDS / left))
        while self.waiting and self.free:
            # Not those that have left meanwhile.
            if not (turn := self.waiting.popleft()).done():
                turn.set_result(None)
                self.free -= 1
        self.later(TICK_SECONDS, self.admit_batch)

    def end(self) -> None:
        """Admit all who wait, and whoever comes from now on at once."""
        self.is_over = True
        while self.waiting:
            if not (turn := self.waiting.popleft()).done():
                turn.set_result(None)


#: Of this process.
arrivals = Arrivals()


def paced(application: App, arrivals: Arrivals = arrivals) -> App:
    """Return the application, whose sockets are let in at that pace; requests are answered as ever."""

    async def admitted(scope: AsgiScope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket" or (turn := arrivals.arrive()) is None:
            await application(scope, receive, send)
            return
        first = await receive()
        if not await _is_still_there(turn, receive):
            return
        is_heard = False

        async def heard() -> MutableMapping[str, Any]:
            nonlocal is_heard
            if is_heard:
                return await receive()
            is_heard = True
            return first

        await application(scope, heard, send)

    return admitted


async def _is_still_there(turn: asyncio.Future[None], receive: Receive) -> bool:
    """Return whether the other end waits until its turn has come: before it is let in it has nothing else to say."""
    leaving = asyncio.ensure_future(receive())
    try:
        either: set[asyncio.Future[Any]] = {turn, leaving}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        return not leaving.done()
    finally:
        turn.cancel()
        leaving.cancel()
        with suppress(asyncio.CancelledError):
            await leaving
