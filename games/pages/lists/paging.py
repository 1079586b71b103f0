"""Long lists come in pages; a page number is text from an address, and may be anything."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeAlias, TypeVar

PAGE_SIZE = 24
#: Pages further on are not asked for in earnest: they would only make the database count rows.
LAST_PAGE = 5000

#: The last page of a list that is not counted: the database passes over all rows before it.
LAST_OPEN_PAGE = 10

Row = TypeVar("Row", covariant=True)
R = TypeVar("R")
T = TypeVar("T")
#: What reads rows of a list: so many (the second number) from one on, counted from 0.
RowReader: TypeAlias = Callable[[int, int], list[R]]


@dataclass(frozen=True)
class ListPage(Generic[Row]):
    """One page of a list. `older` and `newer` are page numbers, None where there is no such page."""

    rows: Sequence[Row]
    number: int
    count: int
    newer: int | None
    older: int | None
    pager: ClassVar[str] = "_pager.html"

    @property
    def pages(self) -> int:
        """Return how many pages there are, at least one."""
        return max(1, -(-self.count // PAGE_SIZE))


@dataclass(frozen=True)
class OpenPage(Generic[Row]):
    """One page of a list whose length no one has counted. `older` and `newer` are as in `ListPage`."""

    rows: Sequence[Row]
    number: int
    newer: int | None
    older: int | None


def page_number(text: str) -> int:
    """Return the page a request asks for: 1 for anything that is no number from 1 to 5000."""
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 1
    return min(max(1, number), LAST_PAGE)


def list_page(read: RowReader[R], number: int, count: int, show: Callable[[list[R]], Sequence[T]]) -> ListPage[T]:
    """Return one page of a list, each row shown by `show`; beyond the last page comes the last one (one read)."""
    last = max(1, -(-count // PAGE_SIZE))
    number = min(number, last)
    shown = show(read((number - 1) * PAGE_SIZE, PAGE_SIZE))
    return ListPage(shown, number, count, number - 1 or None, number + 1 if number < last else None)


def open_page(read: RowReader[R], number: int, show: Callable[[list[R]], Sequence[T]]) -> OpenPage[T]:
    """Return one page of a list, the latest first, each row shown by `show`, without counting those after it.

    There are ten pages at most; beyond the end comes the first one. One read, two beyond the end.
    """
    number = min(number, LAST_OPEN_PAGE)
    found = read((number - 1) * PAGE_SIZE, PAGE_SIZE + 1)
    if not found and number > 1:
        return open_page(read, 1, show)
    older = number + 1 if len(found) > PAGE_SIZE and number < LAST_OPEN_PAGE else None
    return OpenPage(show(found[:PAGE_SIZE]), number, number - 1 or None, older)
