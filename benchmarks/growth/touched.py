"""How much of a database statements touch.

On PostgreSQL: pages of 8 KiB, found in its cache or read, and pages of sorts that did not fit in memory. The module
`auto_explain` sends them for every statement that is run, those of triggers included, as notices to the connection that
runs it; to load it takes the superuser.

A table of a hundred rows fits on a page or two, and PostgreSQL reads it whole. So that the small database shows what
the same work touches, it is measured by indexes: its planner is kept from reading tables whole. The large one's is
free.

On SQLite: pages of 4 KiB, found in the connection's cache or read, and steps of its virtual machine, to the nearest
five of a statement. A step visits one row or one entry of an index at most: many rows on few pages show there. Like
pages, steps do not depend on the machine or on its load.
"""

import _sqlite3
import ctypes
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from django.db import connection

STEPS_AT_ONCE = 5
#: What `sqlite3_db_status` calls pages that were in the cache, and those that were not (SQLITE_DBSTATUS_CACHE_…).
HIT, MISS = 7, 8
COUNTED = ("Shared Hit Blocks", "Shared Read Blocks", "Temp Read Blocks", "Temp Written Blocks")
EXPLAIN = (
    "LOAD 'auto_explain'",
    "SET auto_explain.log_level = 'notice'",
    "SET auto_explain.log_analyze = on",
    "SET auto_explain.log_timing = off",
    "SET auto_explain.log_buffers = on",
    "SET auto_explain.log_nested_statements = on",
    "SET auto_explain.log_format = 'json'",
    "SET auto_explain.log_min_duration = -1",
)
BY_INDEX = ("SET enable_seqscan = off", "SET enable_hashjoin = off", "SET enable_mergejoin = off")


class Unit(StrEnum):
    """What is counted."""

    PAGES = "pages"
    STEPS = "steps"


@dataclass
class Counter:
    """What has been touched of one unit, by statement in the order in which they were run first."""

    touched: dict[str, int] = field(default_factory=dict)

    def add(self, statement: str, number: int) -> None:
        """Count what a statement has touched."""
        self.touched[statement] = self.touched.get(statement, 0) + number

    @property
    def total(self) -> int:
        """Return how much was touched together."""
        return sum(self.touched.values())

    @property
    def worst(self) -> str:
        """Return the statement that touched most, "" if none was run."""
        return max(self.touched, key=self.touched.__getitem__, default="")


class Pages:
    """Pages that a connection to SQLite has asked its cache for.

    Python's module does not hand on this figure of SQLite's, so it is asked for at the library that the module itself
    uses. In CPython a connection's first field is its handle there.
    """

    def __init__(self, database: Any) -> None:
        self._status = ctypes.CDLL(getattr(_sqlite3, "__file__", None)).sqlite3_db_status
        self._handle = ctypes.c_void_p.from_address(id(database) + object.__basicsize__)
        self._before = self._total()

    def since_last(self) -> int:
        """Return how many pages were asked for since this was called last."""
        before, self._before = self._before, self._total()
        return self._before - before

    def _total(self) -> int:
        return sum(self._figure(which) for which in (HIT, MISS))

    def _figure(self, which: int) -> int:
        now, most = ctypes.c_int(), ctypes.c_int()
        if self._status(self._handle, which, ctypes.byref(now), ctypes.byref(most), 0):
            raise RuntimeError("SQLite does not say how many pages were asked for.")
        return now.value


class Gauge:
    """Counts on this thread's connection, which has to stay open while it counts."""

    def __init__(self, *, by_index: bool) -> None:
        self._database: Any = None
        self._statement, self._by_index = "", by_index
        self.units = (Unit.PAGES,) if connection.vendor == "postgresql" else (Unit.PAGES, Unit.STEPS)
        self._counters = {unit: Counter() for unit in self.units}

    def _attach(self) -> None:
        """Count on the connection as it is now: what was done since the last time may have closed that of then."""
        connection.ensure_connection()
        if connection.connection is self._database:
            return
        self._database = connection.connection
        if connection.vendor == "postgresql":
            self._run(*EXPLAIN, *(BY_INDEX if self._by_index else ()))
            self._database.add_notice_handler(self._hear)
        else:
            self._pages = Pages(self._database)

    @contextmanager
    def counting(self) -> Iterator[dict[Unit, Counter]]:
        """Count what is touched inside the block.

        Raises:
            RuntimeError: the block has closed the connection.

        """
        self._attach()
        self._switch(is_on=True)
        self._counters = counters = {unit: Counter() for unit in self.units}
        with connection.execute_wrapper(self._note):
            yield counters
        # What a closed connection has touched would be asked for at an address that may be anything by now.
        if connection.connection is not self._database:
            raise RuntimeError("The connection on which is counted was closed.")
        self._switch(is_on=False)

    def _switch(self, *, is_on: bool) -> None:
        if connection.vendor == "postgresql":
            self._run(f"SET auto_explain.log_min_duration = {0 if is_on else -1}")
        else:
            self._count_pages()
            self._database.set_progress_handler(self._step if is_on else None, STEPS_AT_ONCE)

    def _run(self, *statements: str) -> None:
        with connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)

    def _note(self, execute: Callable[..., Any], sql: str, *arguments: Any) -> Any:
        """Remember which statement runs: SQLite only says that one does. What it finds is fetched before the next."""
        if Unit.STEPS in self.units:
            self._count_pages()
        self._statement = sql
        return execute(sql, *arguments)

    def _count_pages(self) -> None:
        """Count the pages of SQLite since the last time as those of the statement that ran."""
        if pages := self._pages.since_last():
            self._counters[Unit.PAGES].add(self._statement, pages)

    def _step(self) -> int:
        self._counters[Unit.STEPS].add(self._statement, STEPS_AT_ONCE)
        return 0

    def _hear(self, notice: Any) -> None:
        _duration, _plan, text = (notice.message_primary or "").partition("plan:\n")
        if not text:
            return
        told = json.loads(text)
        self._counters[Unit.PAGES].add(told["Query Text"], sum(told["Plan"].get(kind, 0) for kind in COUNTED))
