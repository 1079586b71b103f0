"""A hard limit on thinking."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn


class OutOfThinkingTime(BaseException):
    """The limit was reached. Not an Exception: an engine that catches those cannot go on thinking."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Stop the block after so many seconds of real time, by raising in the middle of it.

    Works in a process's main thread, where workers run their jobs; elsewhere, and where the system has no alarm
    signal, the block runs as long as it likes. A call into C is stopped when it returns.

    Raises:
        OutOfThinkingTime: the time is over.

    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "SIGALRM"):
        yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _ring(_number: int, _frame: FrameType | None) -> NoReturn:
    raise OutOfThinkingTime
