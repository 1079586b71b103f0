"""Retrying while SQLite's write lock is taken.

SQLite's own busy handler sleeps longer with every retry, up to a tenth of a second, which favours newcomers: where
several processes write without a pause, a few of them wait for seconds. Here the pauses become shorter instead. There
is no queue, so a process that is killed leaves nothing behind.
"""

import sqlite3
import time
from collections.abc import Callable
from typing import TypeVar

#: In seconds: the first pause between two retries, the time waited after which it has halved, and the shortest.
FIRST_PAUSE, HALVED_AFTER, LEAST_PAUSE = 0.005, 0.05, 0.0005
#: The low byte of an extended error code is the primary one: SQLITE_BUSY has several kinds.
PRIMARY_CODE_MASK = 0xFF

Result = TypeVar("Result")


def retry_while_locked(connection: sqlite3.Connection, write: Callable[[], Result]) -> Result:
    """Run a write, retrying while the database is locked, and return its result. Call it outside a transaction.

    Raises:
        sqlite3.OperationalError: still locked when the connection's `busy_timeout` was over.

    """
    [timeout] = connection.execute("PRAGMA busy_timeout").fetchone()
    connection.execute("PRAGMA busy_timeout=0")
    try:
        return _retry(write, timeout / 1000)
    finally:
        connection.execute(f"PRAGMA busy_timeout={timeout}")


def _retry(write: Callable[[], Result], timeout: float) -> Result:
    began = time.monotonic()
    while True:
        try:
            return write()
        except sqlite3.OperationalError as error:
            waited = time.monotonic() - began
            # Errors raised by Python's module itself have no code.
            if getattr(error, "sqlite_errorcode", 0) & PRIMARY_CODE_MASK != sqlite3.SQLITE_BUSY or waited >= timeout:
                raise
        time.sleep(retry_pause(waited))


def retry_pause(waited: float) -> float:
    """Return the seconds to pause before the next retry, after that many seconds of waiting."""
    return max(LEAST_PAUSE, FIRST_PAUSE / (1 + waited / HALVED_AFTER))
