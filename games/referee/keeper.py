"""Starts a program for the referee and, when told, ends it with all that it has started: `keeper.py LEASH TOLD WORDS`.

A process may leave its session and outlive its parent; then it becomes the child of this one, which asks the system
for that, so that none is lost. `LEASH` is read: a byte or its end means that the program has to go, so it goes too when
the referee itself is ended. `TOLD` is written to: a line with the program's number when it was started, or why not, and
one with its exit status when it ends.
"""

import ctypes
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

#: Linux's number for: children whose parents have ended become mine.
_PR_SET_CHILD_SUBREAPER = 36

#: How the first line begins: it goes on with the number of the process, or why there is none.
STARTED, UNSTARTED = "started ", "unstarted "


def main(arguments: Sequence[str]) -> None:
    """Keep a program until it has to go."""
    leash, told, command = int(arguments[0]), int(arguments[1]), [*arguments[2:]]
    _adopt_orphans()
    try:
        program = subprocess.Popen(command, start_new_session=True)
    except (OSError, ValueError) as error:
        os.write(told, f"{UNSTARTED}{getattr(error, 'strerror', None) or error}\n".encode())
        return
    os.write(told, f"{STARTED}{program.pid}\n".encode())
    # The pipes are the program's alone, so that they end with it.
    nothing = os.open(os.devnull, os.O_RDWR)
    for own in (0, 1, 2):
        os.dup2(nothing, own)
    threading.Thread(target=_tell_status, args=(program, told), daemon=True).start()
    os.read(leash, 1)
    _end_all(program.pid)


def _adopt_orphans() -> None:
    # Elsewhere than on Linux only the program's session is ended.
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _tell_status(program: "subprocess.Popen[bytes]", told: int) -> None:
    status = program.wait()
    with suppress(OSError):
        os.write(told, f"{status}\n".encode())


def _end_all(program: int) -> None:
    """End the program's session and everything below this process, until nothing is left there."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(program, signal.SIGKILL)
    while True:
        for process in _below(os.getpid()):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        try:
            # Waits for one of them; whatever it leaves behind is a child of this process by then.
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _below(top: int) -> list[int]:
    """Return the processes below one, where the system tells of them."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            # A name in brackets stands before the parent, and may hold anything.
            parent = int((folder / "stat").read_bytes().rpartition(b")")[2].split()[1])
            children.setdefault(parent, []).append(int(folder.name))
    found = [top]
    for process in found:
        found += children.get(process, [])
    return found[1:]


if __name__ == "__main__":
    main(sys.argv[1:])
