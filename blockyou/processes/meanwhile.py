"""Something that runs in a forked process for as long as this one is busy with something else."""

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from blockyou.processes.child import follow

logger = logging.getLogger(__name__)


@contextmanager
def running_beside(run: Callable[[], None]) -> Iterator[None]:
    """Run this in a process of its own until the block ends; then it is asked to end, and its end is waited for.

    It shares what was there before, so no connection may be open. It ends with this process, however that ends.
    """
    # Nothing is written to it: it closes when this process dies.
    end, hold = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(hold)
        threading.Thread(target=follow, args=(end,), daemon=True, name="follow what is done meanwhile").start()
        code = 1
        try:
            run()
            code = 0
        except Exception:
            logger.exception("What was to run meanwhile failed.")
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    os.close(end)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGTERM)
        os.waitpid(pid, 0)
        os.close(hold)
