"""What a game is beyond one position: its seats and colours, its recorded turns, the order of play."""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from games.rules.placement import Placement, PlacementTable, table_for
from games.rules.variants import Variant

#: What a history holds in place of a placement's id.
PASS, RETIRE = -1, -2

#: The number of the colour to play once the game is over.
NOBODY = -1


class Turn(NamedTuple):
    """A recorded turn: a placement, a pass (no placement) or a retirement (a seat, no colour)."""

    colour: str | None
    placement: Placement | None = None
    seat: int | None = None


class Game:
    """What stays the same from the first position of a game to its last."""

    def __init__(self, variant: Variant, seats: tuple[tuple[str, ...], ...], scoring: str) -> None:
        self.variant = variant
        self.scoring = scoring
        self.table: PlacementTable = table_for(variant)
        self.seats = seats
        self.seat_of = {colour: seat for seat, own in enumerate(self.seats) for colour in own}
        played = {*self.seat_of, *variant.shared}
        self.colours = tuple(colour for colour in variant.colours if colour in played)
        self.numbers = tuple(map(variant.colour_number, self.colours))
        self.everyone = sum(1 << number for number in self.numbers)

    def bits(self, seats: Iterable[int]) -> int:
        """Return the seats' own colours as a set of bits by colour number."""
        colours = (colour for seat in seats for colour in self.seats[seat])
        return sum(1 << self.variant.colour_number(colour) for colour in colours)


@cache
def next_colour(active: int, number: int) -> int:
    """Return the colour after `number` in the order of those whose bits are set.

    Rule: R7
    """
    later = active >> number + 1 << number + 1
    rest = later or active
    return (rest & -rest).bit_length() - 1
