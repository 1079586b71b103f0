"""Seats in lists of games that grow for ever: some of them from a spot on, or at an end.

The same games are found beside a game however many end meanwhile.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter

from django.db.models import Q, QuerySet

from games.models import Game, Player

#: A spot of a list: when a game ended, and its key.
ListSpot = tuple[datetime, int]


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

    def times_since(self, moment: datetime, number: int) -> list[datetime]:
        """Return when the games of the list's first part ended since a moment, the latest `number`. One query.

        It reads the index of that time, and no game.
        """
        lately = self.seats[0].filter(**{f"{self.time}__gte": moment}).order_by(*self._order(is_newer=False))
        return [ended for ended in lately.values_list(self.time, flat=True)[:number] if ended is not None]

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
            passed = next(number for number, (key, *_) in enumerate(lot, 1) if key == ends_at)
        else:
            passed = len(lot)
        last = (lot[passed - 1][1], lot[passed - 1][2]) if passed else None
        is_cut = len(found) < number and len(keys) > self.lot
        return Stretch(sorted(found, key=self._key, reverse=True), passed, last, is_cut)


def slug_at(spot: ListSpot) -> str:
    """Return the slug of the game at a spot of a list. One query."""
    return Game.objects.values_list("slug", flat=True).get(pk=spot[1])
