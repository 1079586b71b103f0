"""Another program that is spoken to by text, as in the Go Text Protocol.

A command is a line; an answer begins with `=` or, for a refusal, `?`, and ends with an empty line.
"""

import ctypes
import os
import select
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, cast

from games.arena.errors import BrokenEngine

#: An answer longer than this is no answer.
_MOST_BYTES = 1 << 20
_END = b"\n\n"


def tells_cpu_time() -> bool:
    """Return whether this system tells the CPU time of other processes."""
    return cpu_seconds_of(os.getpid()) is not None


def cpu_seconds_of(process: int) -> float | None:
    """Return the CPU time that a process has taken, of all its threads; None where the system does not tell it.

    By the clock that POSIX has for each process, which is exact: what `/proc` says is in steps of 10 ms.
    """
    clock = ctypes.c_int()
    try:
        if ctypes.CDLL(None).clock_getcpuclockid(process, ctypes.byref(clock)):
            return None
        return time.clock_gettime(clock.value)
    except (AttributeError, TypeError, OSError):
        # A system without such clocks, or a process that has just ended.
        return None


class Program:
    """A running program. Whatever goes wrong with it is a `BrokenEngine` in one sentence, and the program is ended."""

    def __init__(self, command: Sequence[str], *, limit: float) -> None:
        self.name = Path(command[0]).name
        self._limit = limit
        self._unread = b""
        with ExitStack() as stack:
            # Into a file: a pipe that is not read would stop the program once it is full.
            self._complaints = stack.enter_context(tempfile.TemporaryFile())
            self._process = _start(command, self._complaints)
            self._in, self._out = cast("IO[bytes]", self._process.stdin), cast("IO[bytes]", self._process.stdout)
            for opened in (self._in, self._out):
                stack.callback(opened.close)
            self._open = stack.pop_all()

    def ask(self, command: str) -> tuple[bool, str]:
        """Return whether the program did as asked, and its answer.

        Raises:
            BrokenEngine: it died, gave no answer within the limit, or none of this protocol.

        """
        self._write(command)
        answer = self._read(command).strip()
        sign, text = answer[:1], answer[1:].lstrip("0123456789").strip()
        if sign not in ("=", "?"):
            raise self._broken(f"answered {answer[:60]!r} to {command!r}, which is not of the protocol")
        return sign == "=", text

    def tell(self, command: str) -> None:
        """Ask what a program of the protocol never refuses.

        Raises:
            BrokenEngine: it refused, too.

        """
        done, text = self.ask(command)
        if not done:
            raise self._broken(f"refused {command!r}: {text}")

    def nonsense(self, command: str, text: str) -> BrokenEngine:
        """Return the error for an answer that means nothing, to be raised; the program is ended."""
        return self._broken(f"answered {text[:60]!r} to {command!r}, which means nothing here")

    @property
    def cpu_seconds(self) -> float | None:
        """Return the CPU time that the program has taken, None where the system does not tell it."""
        return cpu_seconds_of(self._process.pid)

    def close(self) -> None:
        """End the program. By then it has nothing to lose."""
        self._process.kill()
        self._process.wait()
        self._open.close()

    def _write(self, command: str) -> None:
        try:
            self._in.write(command.encode("ascii") + b"\n")
        except OSError as error:
            raise self._dead(command) from error

    def _read(self, command: str) -> str:
        ends = time.monotonic() + self._limit
        while _END not in self._unread:
            part = self._part(ends - time.monotonic(), command)
            self._unread = (self._unread + part).replace(b"\r", b"").lstrip(b"\n")
            if len(self._unread) > _MOST_BYTES:
                raise self._broken(f"answered to {command!r} without an end")
        answer, _end, self._unread = self._unread.partition(_END)
        return answer.decode("utf-8", "replace")

    def _part(self, seconds: float, command: str) -> bytes:
        ready, _, _ = select.select([self._out], [], [], max(0.0, seconds))
        if not ready:
            raise self._broken(f"gave no answer to {command!r} within {self._limit:g} s")
        part = self._out.read(65536)
        if not part:
            raise self._dead(command)
        return part

    def _dead(self, command: str) -> BrokenEngine:
        self._process.kill()
        code = self._process.wait()
        self._complaints.seek(0)
        lines = self._complaints.read().decode("utf-8", "replace").strip().splitlines()
        last = f", saying: {lines[-1]}" if lines else ""
        return self._broken(f"ended by itself (exit status {code}) at {command!r}{last}")

    def _broken(self, what: str) -> BrokenEngine:
        self.close()
        return BrokenEngine(f"{self.name} {what}.")


def _start(command: Sequence[str], complaints: IO[bytes]) -> subprocess.Popen[bytes]:
    """Return the program, started where no interrupt from the keyboard reaches it."""
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=complaints,
            bufsize=0,
            start_new_session=True,
        )
    except OSError as error:
        raise BrokenEngine(f"{command[0]} cannot be started: {error.strerror}.") from error
