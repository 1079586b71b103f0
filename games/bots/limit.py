"""A hard limit on thinking."""

import faulthandler
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

#: Compiled code that has not come back to Python so long after its time is over ends its process.
GRACE_SECONDS = 1.0
_STANDARD_ERROR = 2


class OutOfThinkingTime(BaseException):
    """The limit was reached. Not an Exception: an engine that catches those cannot go on thinking."""


class Process:
    """What is known of this process. A worker says that it `is_expendable`: another one takes its place."""

    is_expendable = False


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Stop the block after so many seconds of real time, by raising in the middle of it.

    Works in a process's main thread, where workers run their jobs; elsewhere, and where the system has no alarm
    signal, the block runs as long as it likes. A call into compiled code is stopped when it returns; where it does not,
    an expendable process is ended a second later, and says where it was.

    Raises:
        OutOfThinkingTime: the time is over.

    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "SIGALRM"):
        yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    if Process.is_expendable:
        faulthandler.dump_traceback_later(seconds + GRACE_SECONDS, exit=True, file=_STANDARD_ERROR)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        yield
    finally:
        # The alarm may ring here too, and must not leave a process behind that is to be ended.
        try:
            signal.setitimer(signal.ITIMER_REAL, 0)
        finally:
            signal.signal(signal.SIGALRM, before)
            if Process.is_expendable:
                faulthandler.cancel_dump_traceback_later()


def _ring(_number: int, _frame: FrameType | None) -> NoReturn:
    raise OutOfThinkingTime
