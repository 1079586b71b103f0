"""Many rows, a lot at a time: on SQLite everybody's writes wait until a transaction has ended."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

#: How many rows one transaction deletes or changes.
ROWS_A_TRANSACTION = 100

Row = TypeVar("Row")


def lots(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """Yield the rows in order, as many at a time as one transaction takes."""
    return (rows[begin : begin + ROWS_A_TRANSACTION] for begin in range(0, len(rows), ROWS_A_TRANSACTION))
