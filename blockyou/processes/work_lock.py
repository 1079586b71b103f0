"""Whether the workers that begin are the only ones of a database file: then all jobs in hand are dead workers'.

A file beside the database is locked by every pool for as long as any process of it lives, since forked processes share
the lock: by a second pool on the same file, and by workers that outlive a pool that was killed, for as long as the job
in hand may take them.
"""

import fcntl
import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

logger = logging.getLogger(__name__)

#: Workers whose pool was killed end within so many seconds (`blockyou.processes.child`); and how often it is looked.
ORPHANS_SECONDS, LOOK_SECONDS = 6.0, 0.2


class WorkLock:
    """The lock of the processes that do the jobs of a database file, kept until the last of them has ended."""

    def __init__(self, path: Path, pause: Callable[[float], None] = time.sleep) -> None:
        self._path = path
        self._pause = pause
        self._file: IO[str] | None = None

    def enter(self) -> bool:
        """Hold the lock from now on; return whether nobody else does. Before any process is forked.

        Others get some seconds to end. Of two that begin at one moment each may be told that it is alone: what either
        of them begins is begun after that, so whatever was in hand before is neither's.
        """
        try:
            self._file = self._path.open("a")
            is_alone = self._has_all()
            for _look in range(0 if is_alone else int(ORPHANS_SECONDS / LOOK_SECONDS)):
                self._pause(LOOK_SECONDS)
                if is_alone := self._has_all():
                    break
            fcntl.flock(self._file, fcntl.LOCK_SH)
        except OSError as error:
            logger.warning("%s cannot be locked (%s): jobs in hand are left to the sweep.", self._path, error)
            return False
        return is_alone

    def fileno(self) -> int:
        """Return the file's descriptor, -1 where there is none."""
        return self._file.fileno() if self._file else -1

    def close(self) -> None:
        """Release the lock; forked processes keep it."""
        if self._file is not None:
            self._file.close()

    def _has_all(self) -> bool:
        if self._file is None:
            return False
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
