"""Long lists come in pages; a page number is whatever somebody typed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import QuerySet

PAGE_SIZE = 24
#: Nobody turns so many pages; further ones would only make the database count rows.
LAST_PAGE = 5000

Row = TypeVar("Row", covariant=True)
T = TypeVar("T")


@dataclass(frozen=True)
class ListPage(Generic[Row]):
    """One page of a list. `older` and `newer` are page numbers, None where there is no such page."""

    rows: Sequence[Row]
    number: int
    count: int
    newer: int | None
    older: int | None

    @property
    def pages(self) -> int:
        """Return how many pages there are, at least one."""
        return max(1, -(-self.count // PAGE_SIZE))


def page_number(text: str) -> int:
    """Return the page a request asks for: 1 for anything that is no number from 1 to 5000."""
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 1
    return min(max(1, number), LAST_PAGE)


def cut(rows: QuerySet[Any], number: int, count: int, show: Callable[[list[Any]], Sequence[T]]) -> ListPage[T]:
    """Return one page of the rows, each shown by `show`; beyond the last page comes the last one (one query)."""
    last = max(1, -(-count // PAGE_SIZE))
    number = min(number, last)
    start = (number - 1) * PAGE_SIZE
    shown = show(list(rows[start : start + PAGE_SIZE]))
    return ListPage(shown, number, count, number - 1 or None, number + 1 if number < last else None)
