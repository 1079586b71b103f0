"""Lists of games that grow for ever: their pages begin beside a game, so that none is counted to from the first.

A page's address names the game that it is older or newer than. It shows the same games however many end meanwhile.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar, Generic, Literal, TypeVar

from games.base.access import SLUG
from games.pages.lists.paging import PAGE_SIZE
from games.queries.lists.seats import Lists, Stretch, slug_at

if TYPE_CHECKING:
    from games.models import Player

Row = TypeVar("Row", covariant=True)
T = TypeVar("T")
PageSide = Literal["newest", "newer", "older", "oldest"]


@dataclass(frozen=True)
class PageCursor:
    """Where a page begins in its list: at one of its ends, or newer or older than the game of a slug."""

    side: PageSide = "newest"
    slug: str = ""


@dataclass(frozen=True)
class CardPage(Generic[Row]):
    """One page of a list. `newer` and `older` are the slugs that the next pages begin beside, empty at the ends.

    Where one page may go through no more games before it is full, `looked_until` says when the last of them ended, and
    `goes_on` on which side further ones are looked for.
    """

    rows: Sequence[Row]
    count: int
    newer: str = ""
    older: str = ""
    looked_until: datetime | None = None
    goes_on: Literal["", "newer", "older"] = ""
    pager: ClassVar[str] = "games/_pager.html"


def cursor_in(query: Mapping[str, str]) -> PageCursor:
    """Return the cursor that an address names; the newest for anything that makes no sense."""
    sides: tuple[PageSide, ...] = ("older", "newer")
    for side in sides:
        if SLUG.fullmatch(query.get(side, "")):
            return PageCursor(side, query[side])
    return PageCursor("oldest") if "oldest" in query else PageCursor()


def game_page(
    lists: Lists, cursor: PageCursor, count: int, show: "Callable[[list[Player]], Sequence[T]]"
) -> CardPage[T]:
    """Return one page of a list of `count` games, each shown by `show`.

    As many queries as `Lists.look`; where the cursor is beside a game as many as `Lists.find` more; one more where the
    look was cut.
    """
    beside = lists.find(cursor.slug) if cursor.slug else None
    if cursor.side == "oldest":
        # As many as on the last page when one pages through from the first.
        found = lists.look(count % PAGE_SIZE or PAGE_SIZE, is_newer=True)
        if found.is_cut:
            return _cut_page(found, count, show, is_newer=True, has_others=False)
        return _page(found.seats, count, show, has_newer=count > len(found.seats), has_older=False)
    if beside and cursor.side == "newer":
        found = lists.look(PAGE_SIZE + 1, lists.spot(beside), is_newer=True)
        if found.is_cut:
            return _cut_page(found, count, show, is_newer=True, has_others=True)
        if len(found.seats) > PAGE_SIZE:
            return _page(found.seats[1:], count, show, has_newer=True, has_older=True)
        beside = None
    found = lists.look(PAGE_SIZE + 1, lists.spot(beside))
    if found.is_cut:
        return _cut_page(found, count, show, is_newer=False, has_others=beside is not None)
    if beside and not found.seats:
        if found.spot:
            # Games follow, but none that is looked for.
            return CardPage((), count, newer=slug_at(found.spot))
        # Its last game is the oldest of all: no page has this address.
        return game_page(lists, PageCursor("oldest"), count, show)
    rows = found.seats
    return _page(rows[:PAGE_SIZE], count, show, has_newer=beside is not None, has_older=len(rows) > PAGE_SIZE)


def _page(
    rows: "list[Player]", count: int, show: "Callable[[list[Player]], Sequence[T]]", *, has_newer: bool, has_older: bool
) -> CardPage[T]:
    newer = rows[0].game.slug if rows and has_newer else ""
    older = rows[-1].game.slug if rows and has_older else ""
    return CardPage(show(rows), count, newer, older)


def _cut_page(
    found: Stretch, count: int, show: "Callable[[list[Player]], Sequence[T]]", *, is_newer: bool, has_others: bool
) -> CardPage[T]:
    """Return a page that is not full though it has gone through all it may. `has_others`: whether one comes before it.

    An empty page goes back to beside the game that it went through last: so the game it began beside is found again.
    """
    if found.spot is None:
        raise ValueError("a look that was cut has gone through a game")
    rows, end = found.seats, slug_at(found.spot)
    back = ((rows[-1] if is_newer else rows[0]).game.slug if rows else end) if has_others else ""
    newer, older = (end, back) if is_newer else (back, end)
    side: Literal["newer", "older"] = "newer" if is_newer else "older"
    return CardPage(show(rows), count, newer, older, looked_until=found.spot[0], goes_on=side)
