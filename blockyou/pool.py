"""Several workers from one process: it gets ready once, forks them, and forks again those that end.

A worker starts in a moment and shares with the others what was there before the fork: code, tables, compiled engines.
The process itself opens no database connection and runs no job, so nothing can grow or hang in it.
"""

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from secrets import token_hex
from types import FrameType
from typing import NoReturn

from blockyou.child import follow

logger = logging.getLogger(__name__)
STOPS = (signal.SIGINT, signal.SIGTERM)
STEADY_SECONDS, PAUSE_SECONDS = 1.0, 1.0

#: What a worker is: its number, how many there are, its name, and the name of the dead one whose place it takes.
Work = Callable[[int, int, str, str], None]


@dataclass(frozen=True)
class Hand:
    """One worker at work."""

    number: int
    identity: str
    started_at: float


class Pool:
    """So many workers, each a process, until a signal asks to stop."""

    def __init__(self, count: int, work: Work) -> None:
        self.count = count
        self.is_stopping = False
        self._work = work
        self._hands: dict[int, Hand] = {}
        # Nobody writes to it: it closes when this process dies, however it dies, and the workers follow.
        self._end, self._hold = os.pipe()

    def run(self) -> None:
        """Keep the workers at work; return when all have ended after a signal."""
        for stop in STOPS:
            signal.signal(stop, self.request_stop)
        for number in range(self.count):
            self._start(number, "")
        while self._hands:
            pid, status = os.wait()
            hand = self._hands.pop(pid)
            if not self.is_stopping:
                self._replace(hand, os.waitstatus_to_exitcode(status))

    def request_stop(self, _number: int, _frame: FrameType | None) -> None:
        """Ask every worker to stop after the job it has in hand."""
        self.is_stopping = True
        for pid in self._hands:
            os.kill(pid, signal.SIGTERM)

    def _replace(self, hand: Hand, code: int) -> None:
        if code:
            how = f"signal {-code}" if code < 0 else f"status {code}"
            logger.error("Worker %s ended (%s); another takes its place.", hand.number + 1, how)
        if time.monotonic() - hand.started_at < STEADY_SECONDS:
            time.sleep(PAUSE_SECONDS)
        if not self.is_stopping:
            self._start(hand.number, hand.identity)

    def _start(self, number: int, predecessor: str) -> None:
        hand = Hand(number, token_hex(16), time.monotonic())
        # A signal meanwhile would reach neither a worker that is not written down nor one that still has our handler.
        signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
        pid = os.fork()
        if pid == 0:
            self._become(hand, predecessor)
        self._hands[pid] = hand
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)

    def _become(self, hand: Hand, predecessor: str) -> NoReturn:
        """Be the worker, in the forked process, and end it with what it comes to."""
        code = 1
        try:
            for stop in STOPS:
                signal.signal(stop, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
            os.close(self._hold)
            threading.Thread(target=follow, args=(self._end,), daemon=True, name="follow the pool").start()
            self._work(hand.number, self.count, hand.identity, predecessor)
            code = 0
        except SystemExit as asked:
            code = asked.code if isinstance(asked.code, int) else 0
        except Exception:
            logger.exception("Worker %s failed.", hand.number + 1)
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
