"""What a game is beyond one position: its seats and colours, its recorded turns, the order of play."""

from collections.abc import Iterable
from functools import cache, cached_property
from typing import NamedTuple

from games.rules.errors import UnknownColour, shown
from games.rules.placement import Placement, PlacementTable, table_for
from games.rules.position.keys import key_of_text
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


class GameTerms:
    """What stays the same from the first position of a game to its last.

    `actions` counts the placements of the table. `laid` is the number of those that were set up before the
    first turn, and `first` the number of the colour that has it.
    """

    def __init__(
        self,
        variant: Variant,
        seats: tuple[tuple[str, ...], ...],
        scoring: str,
        laid: int = 0,
        first: int | None = None,
    ) -> None:
        self.variant = variant
        self.scoring = scoring
        self.table: PlacementTable = table_for(variant)
        self.actions = len(self.table)
        self.seats = seats
        self.seat_of = {colour: seat for seat, own in enumerate(self.seats) for colour in own}
        played = {*self.seat_of, *variant.shared}
        self.colours = tuple(colour for colour in variant.colours if colour in played)
        self.numbers = tuple(map(variant.colour_number, self.colours))
        self.everyone = sum(1 << number for number in self.numbers)
        self.laid = laid
        self.first = self.numbers[0] if first is None else first

    @property
    def is_set_up(self) -> bool:
        """Return whether the game began otherwise than on an empty board with its first colour."""
        return self.laid > 0 or self.first != self.numbers[0]

    @cached_property
    def key(self) -> int:
        """Return the part of the key that all positions have in common."""
        return key_of_text(repr((self.variant.id, self.seats, self.scoring)))

    def is_like(self, other: "GameTerms") -> bool:
        """Return whether both have the same variant, seats, scoring and beginning."""
        return self is other or self._values == other._values

    @property
    def _values(self) -> tuple[object, ...]:
        return self.seats, self.scoring, self.laid, self.first, self.variant

    def number_of(self, colour: str) -> int:
        """Return the number of a colour that is played.

        Raises:
            UnknownColour: the variant has no such colour, or it does not play in this game.

        """
        number = self.variant.colour_number(colour)
        if number not in self.numbers:
            raise UnknownColour("The colour %(colour)s is not in this game.", colour=shown(colour))
        return number

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
