"""Several workers from one process: it gets ready once, forks them, and forks again those that end.

A worker starts in a moment and shares with the others what was there before the fork: code, tables, compiled engines.
The process itself runs no job and opens no database connection before it ends, so nothing can grow or hang in it.
"""

import gc
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

from blockyou.processes.child import follow

logger = logging.getLogger(__name__)
STOPS = (signal.SIGINT, signal.SIGTERM)
WORKER_STEADY_SECONDS, RESTART_PAUSE_SECONDS = 1.0, 1.0
#: Seconds that workers get for the job in hand once they are asked to stop.
STOP_SECONDS = 4.0

#: What a worker is: its number, how many there are, its name, and whether another had its place and name before.
Work = Callable[[int, int, str, bool], None]
#: What becomes of the jobs of a worker that has ended, by the worker's name.
HandBack = Callable[[str], None]


@dataclass(frozen=True)
class WorkerProcess:
    """One worker at work. Whoever takes its place has its name too, by which what it had in hand is found."""

    number: int
    identity: str
    started_at: float


class Pool:
    """A fixed number of workers, each a process, until a signal asks to stop."""

    def __init__(self, count: int, work: Work, hand_back: HandBack) -> None:
        self.count = count
        #: The name of each worker, which those that take its place have too.
        self.identities = [token_hex(16) for _ in range(count)]
        self.is_stopping = False
        self._work = work
        self._hand_back = hand_back
        self._ended: list[str] = []
        self._workers: dict[int, WorkerProcess] = {}
        # Nothing is written to it: it closes when this process dies, however it dies, and the workers follow.
        self._end, self._hold = os.pipe()

    def run(self) -> None:
        """Keep the workers at work; return when all have ended after a signal, and no job is left in their hands."""
        for stop in STOPS:
            signal.signal(stop, self.request_stop)
        signal.signal(signal.SIGALRM, self.kill_workers)
        # What is there before the fork is left out of every later collection: to look at it is to copy it.
        gc.collect()
        gc.freeze()
        for number, identity in enumerate(self.identities):
            self._start(number, identity, follows=False)
        while self._workers:
            pid, status = os.wait()
            worker = self._workers.pop(pid)
            if self.is_stopping:
                self._ended.append(worker.identity)
            else:
                self._replace(worker, os.waitstatus_to_exitcode(status))
        signal.setitimer(signal.ITIMER_REAL, 0)
        for identity in self._ended:
            self._hand_back_at_the_end(identity)

    def _hand_back_at_the_end(self, identity: str) -> None:
        """Hand back what a worker had in hand, however well it ended; the sweep does it where it cannot be done now."""
        try:
            self._hand_back(identity)
        except Exception as error:  # noqa: BLE001  (whatever it is: the others' jobs are to be handed back too)
            logger.warning("What a worker had in hand could not be handed back (%s).", type(error).__name__)

    def request_stop(self, _number: int, _frame: FrameType | None) -> None:
        """Ask every worker to stop after the job it has in hand, for which it gets some seconds."""
        self.is_stopping = True
        signal.setitimer(signal.ITIMER_REAL, STOP_SECONDS)
        self._send(signal.SIGTERM)

    def kill_workers(self, _number: int, _frame: FrameType | None) -> None:
        """Kill the workers that still have a job in hand; a bot may think longer than a restart can wait."""
        self._send(signal.SIGKILL)

    def _send(self, number: signal.Signals) -> None:
        for pid in self._workers:
            os.kill(pid, number)

    def _replace(self, worker: WorkerProcess, code: int) -> None:
        if code:
            how = f"signal {-code}" if code < 0 else f"status {code}"
            logger.error("Worker %s ended (%s); another takes its place.", worker.number + 1, how)
        if time.monotonic() - worker.started_at < WORKER_STEADY_SECONDS:
            time.sleep(RESTART_PAUSE_SECONDS)
        if self.is_stopping:
            self._ended.append(worker.identity)
        else:
            self._start(worker.number, worker.identity, follows=True)

    def _start(self, number: int, identity: str, *, follows: bool) -> None:
        worker = WorkerProcess(number, identity, time.monotonic())
        # A signal meanwhile would reach neither a worker that is not written down nor one that still has our handler.
        signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
        pid = os.fork()
        if pid == 0:
            self._become(worker, follows=follows)
        self._workers[pid] = worker
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)

    def _become(self, worker: WorkerProcess, *, follows: bool) -> NoReturn:
        """Be the worker, in the forked process, and end it with what it comes to."""
        code = 1
        try:
            for number in (*STOPS, signal.SIGALRM):
                signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
            os.close(self._hold)
            threading.Thread(target=follow, args=(self._end,), daemon=True, name="follow the pool").start()
            self._work(worker.number, self.count, worker.identity, follows)
            code = 0
        except SystemExit as asked:
            code = asked.code if isinstance(asked.code, int) else 0
        except Exception:
            logger.exception("Worker %s failed.", worker.number + 1)
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
