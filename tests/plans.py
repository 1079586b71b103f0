"""How the database would find the rows of a query: by an index, or by reading the whole table."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from django.db import connection
from django.test.utils import CaptureQueriesContext

READS = ("SELECT", "UPDATE", "DELETE")


def whole_tables(statement: str) -> set[str]:
    """Return the tables that a statement reads from their first row to their last, however many rows there are."""
    with connection.cursor() as cursor, _patient(cursor.execute):
        cursor.execute(f"{EXPLAIN[connection.vendor]} {statement}")
        plan = "\n".join(str(row[-1]) for row in cursor.fetchall())
    return set(re.findall(SCANNED[connection.vendor], plan))


EXPLAIN = {"sqlite": "EXPLAIN QUERY PLAN", "postgresql": "EXPLAIN"}
SCANNED = {"sqlite": r"SCAN (\w+)(?! USING)", "postgresql": r"Seq Scan on (\w+)"}


@contextmanager
def _patient(execute: Callable[[str], object]) -> Iterator[None]:
    """Let PostgreSQL use indexes on small tables too, where it can."""
    if connection.vendor == "postgresql":
        execute("SET enable_seqscan = off")
    yield
    if connection.vendor == "postgresql":
        execute("RESET enable_seqscan")


def tables_read_whole(act: Callable[[], object], tables: Iterable[str]) -> dict[str, str]:
    """Return which of these tables an act reads from end to end, with the statement that does so."""
    with CaptureQueriesContext(connection) as queries:
        act()
    statements = [query["sql"] for query in queries if query["sql"].startswith(READS)]
    asked = [(statement, whole_tables(statement)) for statement in statements]
    return {table: statement for statement, found in asked for table in found.intersection(tables)}
