"""Lists of games that grow for ever: their pages begin beside a game, so that none is counted to from the first.

A page's address names the game that it is older or newer than. It shows the same games however many end meanwhile.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import ClassVar, Generic, Literal, TypeVar

from django.db.models import Q, QuerySet

from games.access import SLUG
from games.models import Player
from games.pages.lists.paging import PAGE_SIZE

Row = TypeVar("Row", covariant=True)
T = TypeVar("T")
PageSide = Literal["newest", "newer", "older", "oldest"]


@dataclass(frozen=True)
class PagePlace:
    """Where a page is in its list: at one of its ends, or newer or older than the game of a slug."""

    side: PageSide = "newest"
    slug: str = ""


@dataclass(frozen=True)
class CardPage(Generic[Row]):
    """One page of a list. `newer` and `older` are the slugs that the next pages begin beside, empty at the ends."""

    rows: Sequence[Row]
    count: int
    newer: str = ""
    older: str = ""
    pager: ClassVar[str] = "games/_pager.html"


@dataclass(frozen=True)
class Lists:
    """Seats that a list shows, from one query or several, the latest first: by a time (a field), then by game."""

    seats: Sequence[QuerySet[Player]]
    time: str = "ended_at"

    def find(self, slug: str) -> Player | None:
        """Return the seat in the game of this slug (at most one query for each part of the list)."""
        return next((seat for part in self.seats if (seat := part.filter(game__slug=slug).first())), None)

    def take(self, number: int, beside: Player | None = None, *, is_newer: bool = False) -> list[Player]:
        """Return `number` seats, the latest first: those next to one, or at an end (one query for each part)."""
        sign, towards = ("", "gt") if is_newer else ("-", "lt")
        bounds = Q()
        if beside is not None:
            time = attrgetter(self.time.replace("__", "."))(beside)
            # The first condition is one that an index begins at; alone "later, or as late and ..." is none.
            bounds = Q(**{f"{self.time}__{towards}e": time}) & (
                Q(**{f"{self.time}__{towards}": time}) | Q(**{f"game_id__{towards}": beside.game_id})
            )
        order = (f"{sign}{self.time}", f"{sign}game_id")
        found = [seat for part in self.seats for seat in part.filter(bounds).order_by(*order)[:number]]
        key = attrgetter(self.time.replace("__", "."), "game_id")
        return sorted(sorted(found, key=key, reverse=not is_newer)[:number], key=key, reverse=True)


def place_in(query: Mapping[str, str]) -> PagePlace:
    """Return the place that an address names; the newest for anything that makes no sense."""
    sides: tuple[PageSide, ...] = ("older", "newer")
    for side in sides:
        if SLUG.fullmatch(query.get(side, "")):
            return PagePlace(side, query[side])
    return PagePlace("oldest") if "oldest" in query else PagePlace()


def game_page(lists: Lists, place: PagePlace, count: int, show: Callable[[list[Player]], Sequence[T]]) -> CardPage[T]:
    """Return one page of a list of `count` games, each shown by `show` (one query; one more beside a game)."""
    beside = lists.find(place.slug) if place.slug else None
    if place.side == "oldest":
        # As many as on the last page when one pages through from the first.
        rows = lists.take(count % PAGE_SIZE or PAGE_SIZE, is_newer=True)
        return _page(rows, count, show, has_newer=count > len(rows), has_older=False)
    if beside and place.side == "newer":
        rows = lists.take(PAGE_SIZE + 1, beside, is_newer=True)
        if len(rows) > PAGE_SIZE:
            return _page(rows[1:], count, show, has_newer=True, has_older=True)
        beside = None
    rows = lists.take(PAGE_SIZE + 1, beside)
    if beside and not rows:
        # Its last game is the oldest of all: no page has this address.
        return game_page(lists, PagePlace("oldest"), count, show)
    return _page(rows[:PAGE_SIZE], count, show, has_newer=beside is not None, has_older=len(rows) > PAGE_SIZE)


def _page(
    rows: list[Player], count: int, show: Callable[[list[Player]], Sequence[T]], *, has_newer: bool, has_older: bool
) -> CardPage[T]:
    newer = rows[0].game.slug if rows and has_newer else ""
    older = rows[-1].game.slug if rows and has_older else ""
    return CardPage(show(rows), count, newer, older)
