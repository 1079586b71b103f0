"""Run a management command as a child of the supervisor: it ends when the supervisor does, however that ends.

python -m blockyou.processes.child COMMAND …   with a pipe from the supervisor as standard input
"""

import os
import signal
import sys
import threading

OWN_GRACE_SECONDS = 5.0
# Commands that ask the database over and over, in one thread. (Under ASGI kept connections leak.)
ASKING = frozenset({"work", "sweep"})


def main() -> None:
    """Follow the supervisor, then become the command."""
    arguments = sys.argv[1:]
    threading.Thread(target=follow, daemon=True, name="follow the supervisor").start()
    if arguments[0] in ASKING:
        os.environ.setdefault("KEEP_CONNECTION", "on")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(["manage.py", *arguments])
    except ImproperlyConfigured as error:
        sys.exit(f"Block-You cannot start. {error}")


def follow(pipe: int = 0) -> None:
    """End this process once the supervisor is gone: its end of our standard input (or another pipe) closes with it."""
    while os.read(pipe, 64):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    threading.Event().wait(OWN_GRACE_SECONDS)
    os._exit(1)


if __name__ == "__main__":
    main()
