"""Lists of games that grow for ever: their pages begin beside a game, so that none is counted to from the first.

A page's address names the game that it is older or newer than. It shows the same games however many end meanwhile.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import ClassVar, Generic, Literal, TypeVar

from django.db.models import Q, QuerySet

from games.access import SLUG
from games.models import Player
from games.pages.lists.paging import PAGE_SIZE

Row = TypeVar("Row", covariant=True)
T = TypeVar("T")
#: A spot of a list: when a game ended, and its key.
ListSpot = tuple[datetime, int]
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
        """Return `number` seats, the latest first: those next to one, or at an end.

        One query for one part; for several one for each, and one more.
        """
        bounds, order = self._bounds(self._spot(beside), is_newer), self._order(is_newer)
        parts = [part.filter(bounds).order_by(*order) for part in self.seats]
        if len(parts) == 1:
            return sorted(parts[0][:number], key=self._key, reverse=True)
        # Most of what the parts have together is not shown: keys alone stand in the index that has them in order.
        spots = [spot for part in parts for spot in part.values_list(self.time, "game_id", "pk")[:number]]
        shown = [pk for _time, _game, pk in sorted(spots, reverse=not is_newer)[:number]]
        return sorted(Player.objects.filter(pk__in=shown).select_related("game"), key=self._key, reverse=True)

    def _spot(self, beside: Player | None) -> ListSpot | None:
        return None if beside is None else self._key(beside)

    @property
    def _key(self) -> Callable[[Player], ListSpot]:
        return attrgetter(self.time.replace("__", "."), "game_id")

    def _order(self, is_newer: bool) -> tuple[str, str]:
        sign = "" if is_newer else "-"
        return f"{sign}{self.time}", f"{sign}game_id"

    def _bounds(self, spot: ListSpot | None, is_newer: bool) -> Q:
        """Return the condition that a seat stands beyond this spot of the list."""
        if spot is None:
            return Q()
        (time, game), towards = spot, "gt" if is_newer else "lt"
        # The first condition is one that an index begins at; alone "later, or as late and ..." is none.
        return Q(**{f"{self.time}__{towards}e": time}) & (
            Q(**{f"{self.time}__{towards}": time}) | Q(**{f"game_id__{towards}": game})
        )


@dataclass(frozen=True, kw_only=True)
class SearchedLists(Lists):
    """Seats of one query among which no index finds those that a condition lets through.

    They are gone through from spot to spot of the list, a `lot` of them at a time: two queries each, which cost the
    same anywhere in the list. A page that is full asks for no further lot.
    """

    condition: Q
    lot: int

    def take(self, number: int, beside: Player | None = None, *, is_newer: bool = False) -> list[Player]:
        """Return `number` seats that the condition lets through, as `Lists.take` does (two queries for each lot)."""
        (seats,), found, spot = self.seats, list[Player](), self._spot(beside)
        order = self._order(is_newer)
        while len(found) < number:
            passed = seats.filter(self._bounds(spot, is_newer)).order_by(*order)
            keys = list(passed.values_list("pk", self.time, "game_id")[: self.lot])
            # Named by their keys alone, or SQLite would go through all of the person's seats.
            named = Player.objects.filter(self.condition, pk__in=[key for key, *_ in keys]).select_related("game")
            found += named.order_by(*order)[: number - len(found)]
            if len(keys) < self.lot:
                break
            spot = keys[-1][1], keys[-1][2]
        return sorted(found, key=self._key, reverse=True)


def place_in(query: Mapping[str, str]) -> PagePlace:
    """Return the place that an address names; the newest for anything that makes no sense."""
    sides: tuple[PageSide, ...] = ("older", "newer")
    for side in sides:
        if SLUG.fullmatch(query.get(side, "")):
            return PagePlace(side, query[side])
    return PagePlace("oldest") if "oldest" in query else PagePlace()


def game_page(lists: Lists, place: PagePlace, count: int, show: Callable[[list[Player]], Sequence[T]]) -> CardPage[T]:
    """Return one page of a list of `count` games, each shown by `show`.

    As many queries as `Lists.take`; where the place is beside a game as many as `Lists.find` more.
    """
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
