"""Waiting for SQLite's one lock for writing.

SQLite lets a process that finds the lock taken sleep for longer and longer, up to a tenth of a second, so that whoever
has just come is sooner to find it free than who has waited: where several processes write without a pause, a few wait
for seconds. Here the pauses become shorter instead. Nobody keeps a list of those who wait, so there is nothing that a
process which is killed could leave behind.
"""

import sqlite3
import time
from collections.abc import Callable
from typing import TypeVar

#: Seconds between two tries of who has just come, the seconds of waiting after which they are half that, and the least.
FIRST_PAUSE, HALVED_AFTER, LEAST_PAUSE = 0.005, 0.05, 0.0005
#: What SQLite has to say for its kinds of "taken": the rest of the number says which.
KIND = 0xFF

Answer = TypeVar("Answer")


def write_when_free(connection: sqlite3.Connection, write: Callable[[], Answer]) -> Answer:
    """Do what needs the lock, as soon as it is free, and return the answer. Outside a transaction.

    Raises:
        sqlite3.OperationalError: the lock was not free for as long as the connection's `busy_timeout` says.

    """
    [patience] = connection.execute("PRAGMA busy_timeout").fetchone()
    connection.execute("PRAGMA busy_timeout=0")
    try:
        return _try_again(write, patience / 1000)
    finally:
        connection.execute(f"PRAGMA busy_timeout={patience}")


def _try_again(write: Callable[[], Answer], patience: float) -> Answer:
    began = time.monotonic()
    while True:
        try:
            return write()
        except sqlite3.OperationalError as error:
            waited = time.monotonic() - began
            # Errors of Python's own module have no number.
            if getattr(error, "sqlite_errorcode", 0) & KIND != sqlite3.SQLITE_BUSY or waited >= patience:
                raise
        time.sleep(pause_after(waited))


def pause_after(waited: float) -> float:
    """Return for how many seconds to pause after having waited for so many."""
    return max(LEAST_PAUSE, FIRST_PAUSE / (1 + waited / HALVED_AFTER))
