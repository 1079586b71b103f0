"""Thinking in a process of its own, which lets others go first, for a worker that does not.

A worker writes to the database, and all who wait for its lock wait at the worker's pace: one that let every other
program go first would stop the site wherever a machine is busy. So a worker keeps its place, and what it thinks about
it hands to a thinker, which writes nothing and holds no lock (docs/decisions/0046-writing-never-steps-back.md).
"""

import ctypes
import logging
import multiprocessing
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import ParamSpec, TypeVar

from games.bots.limit import HANGING_SECONDS, Process
from games.jobs import WorkerLostError
from games.jobs.process import STARVED_SECONDS

logger = logging.getLogger(__name__)

P = ParamSpec("P")
R = TypeVar("R")

#: Seconds of real time after which a thinker that has not answered is ended: longer than any think that may end.
LONGEST_THINK = HANGING_SECONDS + 15
#: Linux ends a process that has asked for it once its parent is dead (PR_SET_PDEATHSIG of prctl).
_DIE_WITH_PARENT = 1
_MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024


class Thinker:
    """A process that calls what it is asked to, one thing after the other. It opens no connection to a database."""

    def __init__(self, niceness: int = 0) -> None:
        """Fork it, so that it shares with this process what is compiled; before any connection is opened."""
        self.niceness = niceness
        #: The bytes that it has ever held.
        self.peak = 0
        #: Seconds of real time that the last think waited for a processor.
        self.waited = 0.0
        self._line, far = multiprocessing.Pipe()
        context = multiprocessing.get_context("fork")
        self._process = context.Process(target=_serve, args=(far, self._line, niceness, os.getpid()), daemon=True)
        self._process.start()
        far.close()

    @property
    def pid(self) -> int | None:
        """Return its process id."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Return whether the process is alive."""
        return self._process.is_alive()

    def ask(self, think: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Return what a function of a module answers, or raise what it raises.

        Raises:
            WorkerLostError: the process has ended, or did not answer for minutes and was ended.

        """
        began = time.monotonic()
        try:
            self._line.send((think, args, kwargs))
            if not self._line.poll(LONGEST_THINK):
                self._process.kill()
            answer, error, cpu, self.peak = self._line.recv()
        except (EOFError, OSError):
            self._process.kill()
            self._process.join()
            raise WorkerLostError(f"The process that thought ended ({self._process.exitcode}).") from None
        self.waited = time.monotonic() - began - cpu
        if error is not None:
            raise error
        return answer  # type: ignore[no-any-return]

    def was_starved(self) -> bool:
        """Return whether other programs kept the last think waiting long for a processor; True once for each think."""
        waited, self.waited = self.waited, 0.0
        return waited > STARVED_SECONDS

    def close(self) -> None:
        """Ask the process to end."""
        self._line.close()


class _Current:
    """The thinker of this worker; None where it thinks in its own process."""

    thinker: Thinker | None = None


def use_thinker(thinker: Thinker | None) -> None:
    """Use this thinker from now on for whatever this process has to think about."""
    _Current.thinker = thinker


def think_in_subprocess(think: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Return what a function returns, called by this worker's thinker, or here where it has none.

    The function is one of a module, and what it is given and returns can be pickled. It reads and writes no table.

    Raises:
        WorkerLostError: see `Thinker.ask`.

    """
    thinker = _Current.thinker
    return thinker.ask(think, *args, **kwargs) if thinker else think(*args, **kwargs)


def step_back(niceness: int) -> None:
    """Lower the priority of this process.

    Where Linux groups processes by session for scheduling ("autogroup"), niceness counts within a group only, and this
    process is to be alone in its own: the group has to step back too.
    """
    if not niceness:
        return
    os.nice(niceness)
    for _attempt in range(5):
        try:
            Path("/proc/self/autogroup").write_text(str(niceness), encoding="ascii")
        except BlockingIOError:
            # Without privileges the whole system is allowed one such change in a tenth of a second.
            time.sleep(0.15)
        except OSError:
            return
        else:
            return


def _serve(line: Connection, near: Connection, niceness: int, parent: int) -> None:
    """Answer until the worker hangs up, in a session of its own, so that no group of processes steps back with it."""
    near.close()
    os.setsid()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)
    _die_with(parent)
    step_back(niceness)
    Process.is_expendable = True
    use_thinker(None)
    while True:
        try:
            think, args, kwargs = line.recv()
        except (EOFError, OSError):
            return
        began, answer, error = time.process_time(), None, None
        try:
            answer = think(*args, **kwargs)
        except Exception as raised:  # noqa: BLE001  (the worker raises it)
            error = raised
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _MAXRSS_UNIT
        spent = time.process_time() - began
        try:
            line.send((answer, error, spent, peak))
        except (EOFError, OSError):
            return
        except Exception as unsent:
            logger.exception("What was thought of cannot be sent: %s.", think)
            line.send((None, TypeError(str(unsent)), spent, peak))


def _die_with(parent: int) -> None:
    """End with the worker however it ends, also in the middle of a think."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    if sys.platform != "linux":
        threading.Thread(target=_watch, args=(parent,), daemon=True, name="follow the worker").start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
