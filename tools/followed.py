"""Run a command that ends, with all that it has started, when the process that asked for it does, however that ends.

    python -m tools.followed COMMAND…

Standard input is a pipe to which nobody writes: it closes with the process at its other end. This process has to lead a
group of its own.
"""

import os
import signal
import subprocess
import sys
import threading


def main() -> None:
    """Run the command, and leave with its status."""
    threading.Thread(target=follow, daemon=True).start()
    sys.exit(subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, check=False).returncode)


def follow() -> None:
    """End this group once the other end of standard input is gone."""
    while os.read(0, 1024):
        pass
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main()
