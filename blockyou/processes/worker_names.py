"""Whose jobs a pool that was killed had in hand: the names of its workers, in a file that it can no longer lock.

Each pool writes the names of its workers into a file of its own, which is locked for as long as any process of the pool
lives, since forked processes share the lock. Where a host was killed with all that ran on it, nobody holds these locks:
the next pool finds the names there, however many other hosts and pools are at work on the same database.
"""

import fcntl
import logging
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import IO

logger = logging.getLogger(__name__)


class WorkerNames:
    """The names of the workers of a pool, and of those of dead pools, in a folder of this host."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file: IO[str] | None = None

    def keep(self, names: Collection[str]) -> None:
        """Write down the names of this pool's workers, before any of them is forked."""
        place = self._folder / token_hex(8)
        # Under another name until it is locked: without a lock it would be a dead pool's.
        new = place.with_suffix(".new")
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            self._file = new.open("w", encoding="ascii")
            fcntl.flock(self._file, fcntl.LOCK_EX)
            self._file.write("\n".join(names))
            self._file.flush()
            new.rename(place.with_suffix(".names"))
        except OSError as error:
            logger.warning("%s cannot be written (%s): what is in hand in a kill is left to the sweep.", new, error)

    def of_the_dead(self) -> dict[Path, list[str]]:
        """Return the names that dead pools have written down, by the file that is to be removed once that is seen to.

        The file of a pool that ended well is there too, and names workers that have nothing in hand.
        """
        found = {}
        for path in sorted(self._folder.glob("*.names")):
            # Either its pool is alive, or another has just seen to it.
            with suppress(OSError), path.open(encoding="ascii") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                found[path] = file.read().split()
        return found

    def fileno(self) -> int:
        """Return the descriptor of this pool's file, -1 where there is none."""
        return self._file.fileno() if self._file else -1

    def close(self) -> None:
        """Release the lock; forked processes keep it."""
        if self._file is not None:
            self._file.close()
