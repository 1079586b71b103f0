"""A program that is asked for moves: started, spoken to within a time, and ended with all that it has started."""

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO, cast

from games.referee.errors import LostGame
from games.referee.keeper import STARTED, UNSTARTED

#: An answer longer than this, in bytes, is none.
LONGEST_ANSWER = 4_096
#: So much of what a program last wrote to its standard error is kept, in bytes.
LONGEST_COMPLAINT = 16_384
_CHUNK = 65_536

_KEEPER = Path(__file__).with_name("keeper.py")
#: Seconds that a keeper has to end everything.
_ENDING = 10.0


class Contestant:
    """A running program, in a session of its own, below a keeper that ends it with all that it has started.

    It is read only while it is asked: a program that floods its output fills a pipe and waits, at its own cost.
    """

    def __init__(self, command: list[str]) -> None:
        # As files: one that is closed again closes nothing that has got its number since.
        read, leash = os.pipe()
        told, tells = os.pipe()
        self._leash, self._told = os.fdopen(leash, "wb", 0), os.fdopen(told, "rb", 0)
        try:
            self._keeper = subprocess.Popen(
                [sys.executable, "-I", "-S", str(_KEEPER), str(read), str(tells), *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
                pass_fds=(read, tells),
            )
        except (OSError, ValueError) as error:
            self._leash.close()
            self._told.close()
            raise LostGame("unstarted", f"cannot be started: {getattr(error, 'strerror', None) or error}") from None
        finally:
            os.close(read)
            os.close(tells)
        self._in, self._out, self._err = (
            cast("IO[bytes]", pipe) for pipe in (self._keeper.stdin, self._keeper.stdout, self._keeper.stderr)
        )
        for pipe in (self._in, self._out, self._err):
            os.set_blocking(pipe.fileno(), False)
        self._unread = b""
        self._complaint = b""
        self._ended = {"out": False, "err": False}
        self._number = 0
        self._number = self._started()

    def _started(self) -> int:
        """Return the number of the program's process, once it was started."""
        line = self._told.readline().decode("utf-8", "replace").rstrip("\n")
        if line.startswith(STARTED):
            return int(line.removeprefix(STARTED))
        self.close()
        raise LostGame("unstarted", f"cannot be started: {line.removeprefix(UNSTARTED) or 'its keeper has ended'}")

    def ask(self, lines: Iterable[str], limit: float) -> tuple[str, float]:
        """Return a line that the program writes after it was sent some, and the seconds until then.

        Raises:
            LostGame: it is late, has died, or writes too much or what is no text.

        """
        unsent = "".join(f"{line}\n" for line in lines).encode("ascii")
        began = time.monotonic()
        while unsent or b"\n" not in self._unread:
            if len(self._unread) > LONGEST_ANSWER:
                raise LostGame("malformed", f"wrote {LONGEST_ANSWER} bytes without the end of a line", self._shown())
            left = began + limit - time.monotonic()
            if left <= 0:
                raise LostGame("late", f"gave no answer within {1000 * limit:.0f} ms", self._shown())
            if self._ended["out"]:
                raise self._death()
            unsent = self._exchange(unsent, left)
        seconds = time.monotonic() - began
        answer, _end, self._unread = self._unread.partition(b"\n")
        return self._text(answer), seconds

    def _exchange(self, unsent: bytes, seconds: float) -> bytes:
        """Send and receive what is possible now, or wait for it; return what is still unsent."""
        has_answered = b"\n" in self._unread
        reads = [] if self._ended["err"] else [self._err]
        reads += [] if self._ended["out"] or has_answered else [self._out]
        ready, writable, _ = select.select(reads, [self._in] if unsent else [], [], seconds)
        if self._err in ready:
            self._hear_complaint()
        if self._out in ready:
            part = self._out.read(_CHUNK)
            self._ended["out"] = part == b""
            self._unread += part or b""
        if writable:
            try:
                return unsent[os.write(self._in.fileno(), unsent[:_CHUNK]) :]
            except BrokenPipeError:
                # It may have answered and closed its ears; what it wrote counts.
                return b""
        return unsent

    def _hear_complaint(self) -> None:
        part = self._err.read(_CHUNK)
        self._ended["err"] = part == b""
        self._complaint = (self._complaint + (part or b""))[-LONGEST_COMPLAINT:]

    def _text(self, answer: bytes) -> str:
        if len(answer) > LONGEST_ANSWER:
            raise LostGame("malformed", f"wrote a line of more than {LONGEST_ANSWER} bytes", _decoded(answer))
        try:
            return answer.decode("ascii").rstrip("\r")
        except UnicodeDecodeError:
            raise LostGame("malformed", "its answer is not plain text", _decoded(answer)) from None

    def _shown(self) -> str:
        return _decoded(self._unread)

    def _death(self) -> LostGame:
        told = self._told.readline().strip() if select.select([self._told], [], [], 0.1)[0] else b""
        how = f"ended by itself (exit status {told.decode()})" if told else "closed its output"
        return LostGame("died", how, self._shown())

    def close(self) -> str:
        """End the program and all that it has started; return the last of what it wrote to its standard error.

        Where that was interrupted, the next call goes on with it; once it is done there is nothing left to end.
        """
        if not self._err.closed:
            self._end()
        return self._complaint.decode("utf-8", "replace")

    def _end(self) -> None:
        if not self._leash.closed:
            # Said, and not only by the end of the pipe: another process may have been given this end of it.
            with suppress(OSError):
                self._leash.write(b".")
            self._leash.close()
        try:
            self._keeper.wait(_ENDING)
        except subprocess.TimeoutExpired:
            self._keeper.kill()
            self._keeper.wait()
        if self._keeper.returncode and self._number:
            # It was ended, maybe by the program.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._number, signal.SIGKILL)
        self._told.close()
        # What could not be ended may hold the pipe open: only what is there is read.
        while not self._ended["err"] and select.select([self._err], [], [], 0)[0]:
            self._hear_complaint()
            if len(self._complaint) >= LONGEST_COMPLAINT:
                break
        for pipe in (self._in, self._out, self._err):
            pipe.close()


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "backslashreplace")
