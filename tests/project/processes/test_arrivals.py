"""Many sockets that stand at the door of a process which has just started are let in one lot after the other."""

import asyncio
import re
from collections.abc import Callable, MutableMapping
from pathlib import Path
from typing import Any

import pytest

from blockyou.processes.arrivals import AT_ONCE, PACED_SECONDS, TICK_SECONDS, Arrivals, paced

CONNECT, LEAVE = {"type": "websocket.connect"}, {"type": "websocket.disconnect", "code": 1006}


class Door:
    """A process's door, whose time passes by itself alone, and the seconds after which each socket was let in."""

    def __init__(self) -> None:
        self.now = 0.0
        self.due: list[tuple[float, Callable[[], None]]] = []
        self.arrivals = Arrivals(lambda: self.now, lambda wait, task: self.due.append((self.now + wait, task)))
        self.application = paced(self.open, self.arrivals)
        self.admitted: list[tuple[float, str, str]] = []
        self.tasks: list[asyncio.Task[None]] = []

    async def open(self, scope: MutableMapping[str, Any], receive: Any, _send: Any) -> None:
        self.admitted.append((self.now, scope["path"], (await receive())["type"]))

    def come(self, path: str = "", kind: str = "websocket") -> "asyncio.Queue[MutableMapping[str, Any]]":
        """Have a socket come; return what it says."""
        said: asyncio.Queue[MutableMapping[str, Any]] = asyncio.Queue()
        said.put_nowait(CONNECT)
        self.tasks.append(asyncio.ensure_future(self.application({"type": kind, "path": path}, said.get, unheard)))
        return said

    async def settle(self) -> None:
        """Let everything happen that does not wait for time."""
        for _ in range(20):
            await asyncio.sleep(0)

    async def wait(self, seconds: float) -> None:
        """Let time pass."""
        await self.settle()
        end = self.now + seconds
        while self.due and self.due[0][0] <= end:
            self.now, task = self.due.pop(0)
            task()
            await self.settle()
        self.now = end

    def times(self) -> list[float]:
        return [at for at, _path, _kind in self.admitted]


async def unheard(_message: MutableMapping[str, Any]) -> None:
    """Say something to nobody."""


def most_in_a_second(times: list[float]) -> int:
    return max(sum(at <= other < at + 1 for other in times) for at in times)


@pytest.mark.parametrize("late", [0.0, 5.0, 8.0, 12.0, 17.0])
def test_a_thousand_pages_come_in_over_ten_seconds_however_late_the_process_answers(late: float) -> None:
    async def story() -> None:
        door = Door()
        # As they come back: over 19.5 s, of which so many are gone when the process answers.
        turns = [19.5 * page / 999 - late for page in range(1000)]
        for turn in turns:
            await door.wait(max(0.0, turn - door.now))
            door.come()
        await door.wait(PACED_SECONDS + 1)
        times = door.times()
        assert len(times) == 1000
        assert max(times) - min(times) >= 10
        assert max(times) <= max(PACED_SECONDS, turns[-1]) + TICK_SECONDS
        assert most_in_a_second(times) < 150

    asyncio.run(story())


def test_a_page_is_let_in_before_it_gives_up() -> None:
    script = (Path(__file__).resolve().parents[3] / "static" / "realtime" / "link.js").read_text()
    [opening] = re.findall(r"OPENING = ([\d_]+)", script)
    assert int(opening) > (PACED_SECONDS + 2) * 1000


def test_the_pages_of_a_few_people_are_let_in_at_once_and_all_after_the_first_seconds() -> None:
    async def story() -> None:
        door = Door()
        for _ in range(AT_ONCE):
            door.come()
        await door.settle()
        assert door.times() == [0.0] * AT_ONCE
        await door.wait(PACED_SECONDS + 1)
        for _ in range(2000):
            door.come()
        await door.settle()
        assert len(door.admitted) == AT_ONCE + 2000

    asyncio.run(story())


def test_sockets_are_let_in_in_the_order_in_which_they_came_and_lose_nothing_that_was_said() -> None:
    async def story() -> None:
        door = Door()
        for number in range(3 * AT_ONCE):
            door.come(str(number))
        await door.wait(2 * TICK_SECONDS)
        assert [(path, kind) for _at, path, kind in door.admitted] == [
            (str(number), "websocket.connect") for number in range(3 * AT_ONCE)
        ]

    asyncio.run(story())


def test_a_page_that_leaves_meanwhile_is_not_let_in_and_takes_no_place() -> None:
    async def story() -> None:
        door = Door()
        for _ in range(AT_ONCE):
            door.come("first")
        gone = [door.come("gone") for _ in range(AT_ONCE)]
        for _ in range(AT_ONCE):
            door.come("next")
        await door.settle()
        for page in gone:
            page.put_nowait(LEAVE)
        await door.wait(TICK_SECONDS)
        assert [path for _at, path, _kind in door.admitted] == ["first"] * AT_ONCE + ["next"] * AT_ONCE
        assert all(task.done() for task in door.tasks)

    asyncio.run(story())


def test_requests_wait_behind_no_socket() -> None:
    async def story() -> None:
        door = Door()
        for _ in range(3 * AT_ONCE):
            door.come("page")
        door.come("move", kind="http")
        await door.settle()
        assert (0.0, "move", "websocket.connect") in door.admitted

    asyncio.run(story())


def test_who_waits_when_the_process_is_asked_to_end_is_let_in_to_hear_so() -> None:
    async def story() -> None:
        door = Door()
        for _ in range(3 * AT_ONCE):
            door.come()
        await door.settle()
        door.arrivals.end()
        await door.settle()
        assert len(door.admitted) == 3 * AT_ONCE

    asyncio.run(story())
