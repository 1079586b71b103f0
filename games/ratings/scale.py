"""Points, what they say of a game between two, and what is fixed about the model (docs/ratings.md).

Inside, a strength is counted in units in which 1 means odds of e to 1; people see points, 400 of which are odds of 10
to 1, as in chess.
"""

import math
from collections.abc import Mapping
from typing import NamedTuple

#: Who is a person (by a number) or a bot (by its stored name).
Who = int | str

#: Points for one unit of strength, and the points of somebody of whom nothing is known.
ELO_POINTS, START = 400 / math.log(10), 1500.0

#: How far people's strengths lie from `START` before anything is known: one standard deviation, in points.
SPREAD = 300.0

#: The same of what a seat is worth.
SEAT_SPREAD = 100.0

#: After so many months a game counts half.
HALVED_AFTER = 36

#: A rating is provisional as long as it is less certain than this.
LISTED_FROM = 100.0


class Strength(NamedTuple):
    """A rating in points, and its standard deviation: in two cases of three the strength lies within it."""

    points: float
    deviation: float

    @property
    def is_provisional(self) -> bool:
        """Whether too little is known for a list."""
        return self.deviation > LISTED_FROM


#: What is known of a newcomer.
NEWCOMER = Strength(START, SPREAD)


class RatedPlace(NamedTuple):
    """Who sat in a seat (from 0), and the place in which they finished, from 1: equal places are a tie."""

    who: Who
    seat: int
    place: int


class RatedTable(NamedTuple):
    """A finished game: the variant, whose seats have values of their own, how many months ago it ended, and its seats.

    Seats that count for nobody are left out.
    """

    variant: str
    months: int
    places: tuple[RatedPlace, ...]


#: What a seat of a variant is worth, in points.
Offsets = Mapping[tuple[str, int], float]


def share(difference: float) -> float:
    """Return the share of the points that is expected of somebody stronger by this many units."""
    return 1 / (1 + math.exp(-difference)) if difference > -700 else 0.0


def damped(variance: float) -> float:
    """Return by how much a difference counts less where it is known with this variance, in units.

    The logistic curve is taken for a normal one, as in Glicko: what is uncertain is expected to be nearer to a half.
    """
    return 1 / math.sqrt(1 + 3 * variance / math.pi**2)


def weight(seats: int) -> float:
    """Return how much a pair of a table counts: the pairs of a person are one game, however many play."""
    return 1 / (seats - 1)


def point_won(place: int, other: int) -> float:
    """Return what a person has of the point that two at a table play for, by their places."""
    return 0.5 if place == other else float(place < other)
