"""How much of a database statements touch.

On PostgreSQL: pages of 8 KiB, found in its cache or read, and pages of sorts that did not fit in memory. The module
`auto_explain` sends them for every statement that is run, those of triggers included, as notices to the connection that
runs it; to load it takes the superuser.

A table of a hundred rows fits on a page or two, and PostgreSQL reads it whole. So that the small database shows what
the same work touches, it is measured by indexes: its planner is kept from reading tables whole. The large one's is
free.

On SQLite: steps of its virtual machine, to the nearest five of a statement. Python cannot ask it for pages; a step
visits one row or one entry of an index at most, and like pages, steps do not depend on the machine or on its load.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import connection

STEPS = 5
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


@dataclass
class Counter:
    """What has been touched, and the statement that touched most (PostgreSQL only)."""

    total: int = 0
    most: int = 0
    worst: str = ""


class Gauge:
    """Counts on this thread's connection, which has to stay open."""

    def __init__(self, *, by_index: bool) -> None:
        connection.ensure_connection()
        self._database: Any = connection.connection
        self._counter = Counter()
        if connection.vendor == "postgresql":
            self._run(*EXPLAIN, *(BY_INDEX if by_index else ()))
            self._database.add_notice_handler(self._hear)

    @contextmanager
    def counting(self) -> Iterator[Counter]:
        """Count what is touched inside the block.

        Raises:
            RuntimeError: the block has closed the connection.

        """
        self._counter = counter = Counter()
        self._switch(is_on=True)
        yield counter
        if connection.connection is not self._database:
            raise RuntimeError("The connection on which is counted was closed.")
        self._switch(is_on=False)

    def _switch(self, *, is_on: bool) -> None:
        if connection.vendor == "postgresql":
            self._run(f"SET auto_explain.log_min_duration = {0 if is_on else -1}")
        else:
            self._database.set_progress_handler(self._step if is_on else None, STEPS)

    def _run(self, *statements: str) -> None:
        with connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)

    def _step(self) -> int:
        self._counter.total += STEPS
        return 0

    def _hear(self, notice: Any) -> None:
        _duration, _plan, text = (notice.message_primary or "").partition("plan:\n")
        if not text:
            return
        told = json.loads(text)
        pages = sum(told["Plan"].get(kind, 0) for kind in COUNTED)
        self._counter.total += pages
        if pages > self._counter.most:
            self._counter.most, self._counter.worst = pages, told["Query Text"]
