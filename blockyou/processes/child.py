"""Run a management command as a child of the supervisor: it ends when the supervisor does, however that ends.

python -m blockyou.processes.child NICENESS COMMAND …   with a pipe from the supervisor as standard input
"""

import os
import signal
import sys
import threading
import time
from pathlib import Path

GRACE_SECONDS = 5.0
# Commands that ask the database over and over, in one thread. (Under ASGI kept connections leak.)
ASKING = frozenset({"work", "sweep"})


def main() -> None:
    """Follow the supervisor, step back for other processes if asked, then become the command."""
    niceness, *arguments = sys.argv[1:]
    step_back(int(niceness))
    threading.Thread(target=follow, daemon=True, name="follow the supervisor").start()
    if arguments[0] in ASKING:
        os.environ.setdefault("KEEP_CONNECTION", "on")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(["manage.py", *arguments])
    except ImproperlyConfigured as error:
        sys.exit(f"Block-You cannot start. {error}")


def step_back(niceness: int) -> None:
    """Let other processes go first.

    Where Linux groups processes by session for scheduling ("autogroup"), niceness counts within a group only, and this
    child is alone in its own: the group has to step back too.
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


def follow(pipe: int = 0) -> None:
    """End this process once the supervisor is gone: its end of our standard input (or another pipe) closes with it."""
    while os.read(pipe, 64):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    threading.Event().wait(GRACE_SECONDS)
    os._exit(1)


if __name__ == "__main__":
    main()
