"""The fit: the likeliest strengths of all people at once, from all their games.

Two at a table are compared by their places. With strengths `x` and values of seats `v`, the first is expected to have
the share `1 / (1 + exp(-d))` of their point, where `d = x + v - x' - v'`; a tie is half a point. Each person's pairs
of one table weigh as much as one game, older games weigh less, and strengths and values have a normal prior around 0.
The logarithm of all that is concave: there is one maximum, and Newton's steps find it.

Nothing depends on the order of the games or of the people: pairs are sorted, the same are added up, and every sum is
made in the order of the rows.
"""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.ratings.scale import (
    ELO_POINTS,
    HALVED_AFTER,
    SEAT_SPREAD,
    SPREAD,
    START,
    Offsets,
    RatedTable,
    Strength,
    Who,
    weight,
)

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

#: Up to this number of unknowns the curvature is inverted; beyond, deviations follow from neighbours alone.
INVERTED = 2000

#: Newton's steps, and steps towards each, at most. Some five and some twenty are taken.
STEPS, TOWARDS = 50, 400
#: Where steps end: the largest slope that is left, in units.
FLAT = 1e-9
#: Rounds in which neighbours tell each other how much they know.
ROUNDS = 30

#: Ratings are rounded to so many decimals, far above what sums on another processor may differ by.
DECIMALS = 2


@dataclass(frozen=True)
class Fitted:
    """The ratings of people, and what seats are worth, in points: how much more is expected of who sits there."""

    ratings: Mapping[Who, Strength]
    seats: Offsets


def fit_ratings(
    tables: Iterable[RatedTable], *, pinned: Mapping[Who, float] | None = None, spread: float = SPREAD
) -> Fitted:
    """Return the likeliest ratings of all who sat at these tables, of one family.

    Those in `pinned` have the points given there, which no game changes. `spread` is the prior's, in points.
    """
    pins = pinned or {}
    known = _Known.of(tables)
    free = np.array([who not in pins for who in known.people] + [True] * len(known.seats))
    priors = np.array([spread] * len(known.people) + [SEAT_SPREAD] * len(known.seats)) / ELO_POINTS
    start = np.array([(pins.get(who, START) - START) / ELO_POINTS for who in known.people] + [0.0] * len(known.seats))
    found = _Likelihood(known, free, 1 / priors**2, start).highest()
    deviations = _deviations(known, found)
    points = np.round(found.strengths * ELO_POINTS, DECIMALS) + 0.0
    people = range(len(known.people))
    return Fitted(
        {
            known.people[at]: Strength(float(START + points[at]), float(deviations[at]))
            for at in people
            if known.people[at] not in pins
        },
        {seat: float(points[len(known.people) + at]) for at, seat in enumerate(known.seats)},
    )


@dataclass(frozen=True)
class _Known:
    """What the tables say: for each sort of pair who is compared, from which seats, how often, and the points won.

    People and seats share one row of numbers, people first. `weights` are numbers of games, `points` those of `first`.
    """

    people: list[Who]
    seats: list[tuple[str, int]]
    first: Whole
    second: Whole
    first_seat: Whole
    second_seat: Whole
    weights: Floats
    points: Floats

    @classmethod
    def of(cls, tables: Iterable[RatedTable]) -> "_Known":
        found = [table for table in tables if len(table.places) > 1]
        people = sorted(
            {place.who for table in found for place in table.places}, key=lambda who: (isinstance(who, str), who)
        )
        seats = sorted({(table.variant, place.seat) for table in found for place in table.places})
        keys, amounts = _pairs(found, people, seats)
        # The last key is the first by which pairs are sorted.
        order = np.lexsort([*amounts[::-1], *keys[::-1]])
        keys, amounts = keys[:, order], amounts[:, order]
        is_new = np.ones(len(order), bool)
        is_new[1:] = np.any(keys[:, 1:] != keys[:, :-1], axis=0)
        begins = np.flatnonzero(is_new)
        weights, points = (np.add.reduceat(amount, begins) if len(begins) else amount for amount in amounts)
        first, second, first_seat, second_seat = (key[begins] for key in keys)
        return cls(people, seats, first, second, first_seat, second_seat, weights, points)


def _pairs(
    tables: Sequence[RatedTable], people: Sequence[Who], seats: Sequence[tuple[str, int]]
) -> tuple[Whole, Floats]:
    """Return all pairs of all tables, each a column: their people and seats as numbers, and what `_compared` says."""
    of_person = {who: at for at, who in enumerate(people)}
    of_seat = {seat: len(people) + at for at, seat in enumerate(seats)}
    keys, amounts = [np.zeros((4, 0), np.int64)], [np.zeros((2, 0))]
    for size in sorted({len(table.places) for table in tables}):
        same = [table for table in tables if len(table.places) == size]
        numbers = (
            number
            for table in same
            for place in table.places
            for number in (of_person[place.who], of_seat[table.variant, place.seat], place.place)
        )
        places = np.moveaxis(np.fromiter(numbers, np.int64).reshape(-1, size, 3), 2, 0)
        counts = weight(size) * np.exp2(-np.array([table.months for table in same]) / HALVED_AFTER)
        for one, other in itertools.combinations(range(size), 2):
            key, amount = _compared(places, counts, one, other)
            keys.append(key)
            amounts.append(amount)
    return np.concatenate(keys, axis=1), np.concatenate(amounts, axis=1)


def _compared(places: Whole, counts: Floats, one: int, other: int) -> tuple[Whole, Floats]:
    """Return the pairs in two places of tables of one size: both people, both seats; the weight, the first's points.

    `places` are the people, seats and places reached, each a row a table. The first of a pair has the lower number.
    A bot that has two seats says nothing about itself.
    """
    who, sat, place = places
    lower = np.where(who[:, one] < who[:, other], one, other)
    higher = one + other - lower
    row = np.arange(len(who))
    won = counts * (0.5 + 0.5 * np.sign(place[row, higher] - place[row, lower]))
    is_pair = who[:, one] != who[:, other]
    keys = np.array([who[row, lower], who[row, higher], sat[row, lower], sat[row, higher]])
    return keys[:, is_pair], np.array([counts, won])[:, is_pair]


@dataclass
class _Likelihood:
    """What is to be the highest: the pairs, which unknowns are free, and the precision of their priors."""

    known: _Known
    free: NDArray[np.bool_]
    precisions: Floats
    strengths: Floats

    def highest(self) -> "_Highest":
        """Go to the maximum by Newton's steps, each shortened until it leads up."""
        strengths, height = self.strengths, self._height(self.strengths)
        for _step in range(STEPS):
            expected = self._expected(strengths)
            slope = self._slope(strengths, expected)
            if not slope.size or np.abs(slope).max() < FLAT:
                break
            curvature = self.known.weights * expected * (1 - expected)
            step = self._solve(slope, curvature)
            for _halving in range(30):
                higher = self._height(strengths + step)
                if higher >= height:
                    break
                step = step / 2
            strengths, height = strengths + step, higher
        expected = self._expected(strengths)
        curvature = self.known.weights * expected * (1 - expected)
        return _Highest(strengths, curvature, self.precisions, self.free)

    def _differences(self, values: Floats) -> Floats:
        known = self.known
        seats = values[known.first_seat] - values[known.second_seat]
        difference: Floats = values[known.first] - values[known.second] + seats
        return difference

    def _expected(self, strengths: Floats) -> Floats:
        return _share(self._differences(strengths))

    def _height(self, strengths: Floats) -> float:
        differences = self._differences(strengths)
        lost = self.known.weights - self.known.points
        likely = self.known.points * np.logaddexp(0, -differences) + lost * np.logaddexp(0, differences)
        return -float(likely.sum() + (self.precisions * strengths**2 * self.free).sum() / 2)

    def _slope(self, strengths: Floats, expected: Floats) -> Floats:
        surprise = self.known.points - self.known.weights * expected
        slope: Floats = (self._scattered(surprise) - self.precisions * strengths) * self.free
        return slope

    def _scattered(self, amounts: Floats) -> Floats:
        """Return for each unknown the sum over its pairs: the amounts where it is first, less those where second."""
        known, size = self.known, len(self.free)
        gained = np.bincount(known.first, amounts, size) + np.bincount(known.first_seat, amounts, size)
        lost = np.bincount(known.second, amounts, size) + np.bincount(known.second_seat, amounts, size)
        scattered: Floats = gained - lost
        return scattered

    def _solve(self, slope: Floats, curvature: Floats) -> Floats:
        """Return the step that the slope and the curvature ask for, by conjugate gradients."""
        known, size = self.known, len(self.free)
        ends = (known.first, known.second, known.first_seat, known.second_seat)
        diagonal = self.precisions + sum(np.bincount(end, curvature, size) for end in ends)
        step, left = np.zeros(size), slope.copy()
        scaled = left / diagonal
        direction, product = scaled.copy(), float((left * scaled).sum())
        enough = product * 1e-20
        for _step in range(TOWARDS):
            if product <= enough or product == 0:
                break
            bent = self._scattered(curvature * self._differences(direction))
            bent = (bent + self.precisions * direction) * self.free
            length = product / float((direction * bent).sum())
            step, left = step + length * direction, left - length * bent
            scaled = left / diagonal
            product, before = float((left * scaled).sum()), product
            direction = scaled + product / before * direction
        return step


@dataclass(frozen=True)
class _Highest:
    """Where the maximum lies, and how sharp it is: what each sort of pair bends it by, and the priors."""

    strengths: Floats
    curvature: Floats
    precisions: Floats
    free: NDArray[np.bool_]


def _share(differences: Floats) -> Floats:
    share: Floats = 0.5 * (1 + np.tanh(differences / 2))
    return share


def _deviations(known: _Known, highest: _Highest) -> Floats:
    """Return the standard deviation of every unknown, in points."""
    is_small = int(highest.free.sum()) <= INVERTED
    variances = _inverted(known, highest) if is_small else _by_neighbours(known, highest)
    deviations: Floats = np.round(np.sqrt(variances) * ELO_POINTS, DECIMALS)
    return deviations


def _inverted(known: _Known, highest: _Highest) -> Floats:
    """Return the variances from the curvature, inverted; 0 of who is pinned."""
    size, free = len(highest.free), np.flatnonzero(highest.free)
    bent = np.diag(highest.precisions)
    ends = ((known.first, 1.0), (known.second, -1.0), (known.first_seat, 1.0), (known.second_seat, -1.0))
    for one, sign in ends:
        for other, other_sign in ends:
            amounts = highest.curvature * (sign * other_sign)
            bent += np.bincount(one * size + other, amounts, size * size).reshape(size, size)
    variances = np.zeros(size)
    if free.size:
        variances[free] = np.diagonal(np.linalg.inv(bent[np.ix_(free, free)]))
    return variances


def _by_neighbours(known: _Known, highest: _Highest) -> Floats:
    """Return the variances of people as their neighbours tell them, exact where no ring of people has played.

    Each person hears from each opponent how much the games of the two say, and how much is known of that opponent
    without them: both together count like two resistances in a row. What seats are worth is taken as known.
    """
    size = len(highest.free)
    pairs, inverse = np.unique(known.first * size + known.second, return_inverse=True)
    told: Floats = np.bincount(inverse, weights=highest.curvature).astype(np.float64)
    one, other = pairs // size, pairs % size
    prior = np.where(highest.free, highest.precisions, np.inf)
    to_one, to_other = np.zeros(len(pairs)), np.zeros(len(pairs))
    for _round in range(ROUNDS):
        knows = highest.precisions + np.bincount(one, to_one, size) + np.bincount(other, to_other, size)
        knows = np.where(highest.free, knows, prior)
        to_one, to_other = _in_a_row(told, knows[other] - to_other), _in_a_row(told, knows[one] - to_one)
    knows = highest.precisions + np.bincount(one, to_one, size) + np.bincount(other, to_other, size)
    variances: Floats = np.where(highest.free, 1 / knows, 0.0)
    return variances


def _in_a_row(told: Floats, known: Floats) -> Floats:
    row: Floats = np.where(np.isinf(known), told, told / (1 + told / known))
    return row
