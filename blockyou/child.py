"""Run a management command as a child of the supervisor: it ends when the supervisor does, however that ends.

python -m blockyou.child NICENESS COMMAND …   with a pipe from the supervisor as standard input
"""

import os
import signal
import sys
import threading

GRACE_SECONDS = 5.0


def main() -> None:
    """Follow the supervisor, step back for other processes if asked, then become the command."""
    niceness, *arguments = sys.argv[1:]
    os.nice(int(niceness))
    threading.Thread(target=follow, daemon=True, name="follow the supervisor").start()
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(["manage.py", *arguments])
    except ImproperlyConfigured as error:
        sys.exit(f"Block-You cannot start. {error}")


def follow() -> None:
    """End this process once the supervisor is gone: its end of our standard input closes with it."""
    while os.read(0, 64):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    threading.Event().wait(GRACE_SECONDS)
    os._exit(1)


if __name__ == "__main__":
    main()
