"""A hard limit on thinking: on the processor time that it takes, so that a busy machine ends no think."""

import faulthandler
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

#: Compiled code that has not returned to Python this long after its time is over ends its process.
GRACE_SECONDS = 1.0
#: Seconds of real time, on a machine however busy, after which a think is taken to hang: to wait for what never comes.
HANGING_SECONDS = 300.0
_STANDARD_ERROR = 2
_TIMERS = ((signal.ITIMER_PROF, signal.SIGPROF), (signal.ITIMER_REAL, signal.SIGALRM))


class OutOfThinkingTime(BaseException):
    """The limit was reached. Not an Exception: an engine that catches those cannot go on thinking."""


class Process:
    """What is known of this process. A worker says that it `is_expendable`: another one takes its place."""

    is_expendable = False


class _Bell:
    """Rings at most once for a think, and no more when the think is over."""

    def __init__(self) -> None:
        self.is_set = True

    def ring(self, _number: int, _frame: FrameType | None) -> None:
        if self.is_set:
            self.is_set = False
            raise OutOfThinkingTime


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Stop the block after that many seconds of this process's CPU time, by raising in the middle of it.

    Real time counts only where the block hangs, for minutes. Works in a process's main thread, where workers run their
    jobs; elsewhere, and where the system has no such signals, the block runs as long as it likes. A call into compiled
    code is stopped when it returns; where it does not, an expendable process is ended a second later, and says where
    it was.

    Raises:
        OutOfThinkingTime: the time is over.

    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    bell = _Bell()
    before = [(number, signal.signal(number, bell.ring)) for _timer, number in _TIMERS]
    if Process.is_expendable:
        _watch(seconds)
    try:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.setitimer(signal.ITIMER_REAL, HANGING_SECONDS)
        yield
    finally:
        # The bell may ring here too, once, and must leave behind neither a timer nor a process that is to be ended.
        try:
            bell.is_set = False
        finally:
            for timer, _number in _TIMERS:
                signal.setitimer(timer, 0)
            for number, handler in before:
                signal.signal(number, handler)
            if Process.is_expendable:
                _stop_watching()


def _watch(seconds: float) -> None:
    """Set timers by which the system ends this process a little after its time, and writes down where it was."""
    faulthandler.dump_traceback_later(HANGING_SECONDS + GRACE_SECONDS, exit=True, file=_STANDARD_ERROR)
    # By default this signal ends a process; before that, Python's handler in C writes down where it is.
    faulthandler.register(signal.SIGVTALRM, file=_STANDARD_ERROR, chain=True)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds + GRACE_SECONDS)


def _stop_watching() -> None:
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    faulthandler.unregister(signal.SIGVTALRM)
    faulthandler.cancel_dump_traceback_later()
