"""Calls of Playwright that never return are ended, so that the test fails at the line that made them.

Playwright limits what a page is waited for, but not what the browser itself is asked: to open a page, to run a script,
to close a window. Where one of these is not answered, pytest's own limit ends the worker, and says nothing of the line.
"""

import asyncio
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from playwright.sync_api import Browser

#: Seconds that one call may take: more than the longest wait for a page here.
LONGEST = 200.0
#: Seconds between two looks.
PAUSE = 5.0
#: What the task of each call has.
CALL = "__pw_caller_frame__"


@contextmanager
def hanging_calls_ended(browser: Browser, longest: float = LONGEST, pause: float = PAUSE) -> Iterator[None]:
    """End each call on this browser that takes longer than it may; of a second one the whole worker, for a new browser.

    A call that is ended raises `asyncio.CancelledError` where it was made.
    """
    loop: asyncio.AbstractEventLoop = browser._impl_obj._loop
    is_over = threading.Event()

    def watch() -> None:
        since, has_ended_one = dict[asyncio.Task[object], float](), False
        while not is_over.wait(pause):
            now = monotonic()
            # Playwright notes on the task of a call where it was made.
            calls = [task for task in asyncio.all_tasks(loop) if hasattr(task, CALL)]
            since = {call: since.get(call, now) for call in calls}
            for call in [call for call in calls if now - since[call] > longest]:
                if has_ended_one:
                    os._exit(1)
                loop.call_soon_threadsafe(call.cancel)
                has_ended_one = True

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    yield
    is_over.set()
    watcher.join()
