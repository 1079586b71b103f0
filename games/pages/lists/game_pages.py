"""Lists of games that grow for ever: their pages begin beside a game, so that none is counted to from the first.

A page's address names the game that it is older or newer than. It shows the same games however many end meanwhile.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import ClassVar, Generic, Literal, TypeVar

from django.db.models import Q, QuerySet

from games.base.access import SLUG
from games.models import Game, Player
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


@dataclass(frozen=True)
class Stretch:
    """Some seats of a list in its order, the latest first.

    `passed` games were gone through for them, the last of which is at `spot`, None if there was none. `is_cut` says
    that more seats were wanted, and that there are further games to look for them.
    """

    seats: list[Player]
    passed: int
    spot: ListSpot | None
    is_cut: bool = False


@dataclass(frozen=True)
class Lists:
    """Seats that a list shows, from one query or several, the latest first: by a time (a field), then by game."""

    seats: Sequence[QuerySet[Player]]
    time: str = "ended_at"

    def find(self, slug: str) -> Player | None:
        """Return the seat in the game of this slug (at most one query for each part of the list)."""
        return next((seat for part in self.seats if (seat := part.filter(game__slug=slug).first())), None)

    def spot(self, seat: Player | None) -> ListSpot | None:
        """Return where a seat stands in the list."""
        return None if seat is None else self._key(seat)

    def look(self, number: int, spot: ListSpot | None = None, *, is_newer: bool = False) -> Stretch:
        """Return `number` seats next to a spot, or at an end; fewer only where the list ends, or as `is_cut` says.

        As many queries as `take`.
        """
        seats = self._next(number, spot, is_newer)
        return Stretch(seats, len(seats), self.spot(seats[0 if is_newer else -1]) if seats else None)

    def take(self, number: int, beside: Player | None = None, *, is_newer: bool = False) -> list[Player]:
        """Return `number` seats, the latest first: those next to one, or at an end.

        One query for one part; for several one for each, and one more.
        """
        return self.look(number, self.spot(beside), is_newer=is_newer).seats

    def _next(self, number: int, spot: ListSpot | None, is_newer: bool) -> list[Player]:
        bounds, order = self._bounds(spot, is_newer), self._order(is_newer)
        parts = [part.filter(bounds).order_by(*order) for part in self.seats]
        if len(parts) == 1:
            return sorted(parts[0][:number], key=self._key, reverse=True)
        # Most of what the parts have together is not shown: keys alone stand in the index that has them in order.
        spots = [spot for part in parts for spot in part.values_list(self.time, "game_id", "pk")[:number]]
        shown = [pk for _time, _game, pk in sorted(spots, reverse=not is_newer)[:number]]
        return sorted(Player.objects.filter(pk__in=shown).select_related("game"), key=self._key, reverse=True)

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

    They are looked for from a spot of the list on, among a `lot` of games and no more: however long the list is, and
    however few there are of them. Who wants more looks again from where the look ended.
    """

    condition: Q
    lot: int

    def look(self, number: int, spot: ListSpot | None = None, *, is_newer: bool = False) -> Stretch:
        """Return as `Lists.look` those seats that the condition lets through, of one lot (two queries)."""
        (seats,), order = self.seats, self._order(is_newer)
        near = seats.filter(self._bounds(spot, is_newer)).order_by(*order)
        # One more than are looked at: whether the list goes on.
        keys = list(near.values_list("pk", self.time, "game_id")[: self.lot + 1])
        lot = keys[: self.lot]
        # Named by their keys alone, or SQLite would go through all of the person's seats.
        named = Player.objects.filter(self.condition, pk__in=[key for key, *_ in lot]).select_related("game")
        found = list(named.order_by(*order)[:number])
        if len(found) == number:
            ends_at = found[-1].pk
            passed = next(place for place, (key, *_) in enumerate(lot, 1) if key == ends_at)
        else:
            passed = len(lot)
        last = (lot[passed - 1][1], lot[passed - 1][2]) if passed else None
        is_cut = len(found) < number and len(keys) > self.lot
        return Stretch(sorted(found, key=self._key, reverse=True), passed, last, is_cut)


def place_in(query: Mapping[str, str]) -> PagePlace:
    """Return the place that an address names; the newest for anything that makes no sense."""
    sides: tuple[PageSide, ...] = ("older", "newer")
    for side in sides:
        if SLUG.fullmatch(query.get(side, "")):
            return PagePlace(side, query[side])
    return PagePlace("oldest") if "oldest" in query else PagePlace()


def game_page(lists: Lists, place: PagePlace, count: int, show: Callable[[list[Player]], Sequence[T]]) -> CardPage[T]:
    """Return one page of a list of `count` games, each shown by `show`.

    As many queries as `Lists.look`; where the place is beside a game as many as `Lists.find` more; one more where the
    look was cut.
    """
    beside = lists.find(place.slug) if place.slug else None
    if place.side == "oldest":
        # As many as on the last page when one pages through from the first.
        found = lists.look(count % PAGE_SIZE or PAGE_SIZE, is_newer=True)
        if found.is_cut:
            return _cut_page(found, count, show, is_newer=True, has_others=False)
        return _page(found.seats, count, show, has_newer=count > len(found.seats), has_older=False)
    if beside and place.side == "newer":
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
            return CardPage((), count, newer=_slug_at(found.spot))
        # Its last game is the oldest of all: no page has this address.
        return game_page(lists, PagePlace("oldest"), count, show)
    rows = found.seats
    return _page(rows[:PAGE_SIZE], count, show, has_newer=beside is not None, has_older=len(rows) > PAGE_SIZE)


def _page(
    rows: list[Player], count: int, show: Callable[[list[Player]], Sequence[T]], *, has_newer: bool, has_older: bool
) -> CardPage[T]:
    newer = rows[0].game.slug if rows and has_newer else ""
    older = rows[-1].game.slug if rows and has_older else ""
    return CardPage(show(rows), count, newer, older)


def _cut_page(
    found: Stretch, count: int, show: Callable[[list[Player]], Sequence[T]], *, is_newer: bool, has_others: bool
) -> CardPage[T]:
    """Return a page that is not full though it has gone through all it may. `has_others`: whether one comes before it.

    An empty page goes back to beside the game that it went through last: so the game it began beside is found again.
    """
    if found.spot is None:
        raise ValueError("a look that was cut has gone through a game")
    rows, end = found.seats, _slug_at(found.spot)
    back = ((rows[-1] if is_newer else rows[0]).game.slug if rows else end) if has_others else ""
    newer, older = (end, back) if is_newer else (back, end)
    side: Literal["newer", "older"] = "newer" if is_newer else "older"
    return CardPage(show(rows), count, newer, older, looked_until=found.spot[0], goes_on=side)


def _slug_at(spot: ListSpot) -> str:
    return Game.objects.values_list("slug", flat=True).get(pk=spot[1])
