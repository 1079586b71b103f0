"""Communities drawn at random, and a second, naive way to the same ratings: plain Python, one unknown at a time."""

import math
import random
from collections.abc import Iterator, Sequence

from games.ratings.scale import RatedPlace, RatedTable, Who

POINT = 400 / math.log(10)


def drawn(seed: int, *, people: int = 8, games: int = 30, seats: Sequence[int] = (2, 3, 4)) -> list[RatedTable]:
    """Return games of people of different strength, with ties, of different age."""
    dice = random.Random(seed)
    strengths = [dice.gauss(0, 1.2) for _ in range(people)]
    tables = []
    for _ in range(games):
        size = min(dice.choice(seats), people)
        sat = dice.sample(range(people), size)
        scores = [round(2 * (strengths[who] + dice.gauss(0, 1.5) + (seat == 0))) for seat, who in enumerate(sat)]
        tables.append(table(sat, scores, months=dice.randrange(30)))
    return tables


def table(people: Sequence[Who], scores: Sequence[int], *, months: int = 0, variant: str = "") -> RatedTable:
    """Return the game of these people, by seat, that ended with these scores."""
    ranked = sorted(scores, reverse=True)
    places = tuple(
        RatedPlace(who, seat, 1 + ranked.index(score))
        for seat, (who, score) in enumerate(zip(people, scores, strict=True))
    )
    return RatedTable(variant or f"board-{len(people)}", months, places)


class Naive:
    """The likeliest ratings by another way: each unknown goes to where its own slope is nought, one after the other.

    `points` and `deviations` are by person, and by (variant, seat).
    """

    def __init__(self, tables: Sequence[RatedTable], pinned: dict[Who, float] | None = None) -> None:
        self.pinned = pinned or {}
        self.tables = tables
        self.values: dict[object, float] = {}
        for each in tables:
            for place in each.places:
                self.values[place.who] = (self.pinned.get(place.who, 1500) - 1500) / POINT
                self.values[each.variant, place.seat] = 0.0
        self.free = [key for key in self.values if key not in self.pinned]
        for _round in range(3000):
            if max(abs(self._improve(key)) for key in self.free) < 1e-10:
                break
        curve = [[self._curve(one, other) for other in self.free] for one in self.free]
        variances = inverse_diagonal(curve)
        self.points = {key: (0 if isinstance(key, tuple) else 1500) + self.values[key] * POINT for key in self.free}
        self.deviations = {key: variances[at] ** 0.5 * POINT for at, key in enumerate(self.free)}

    def _pairs(self) -> Iterator[tuple[tuple[object, ...], tuple[object, ...], float, float]]:
        """Yield each pair of each table: its two people and seats, its weight, and the result of the first."""
        for each in self.tables:
            counts = 0.5 ** (each.months / 36) / (len(each.places) - 1)
            for at, one in enumerate(each.places):
                for other in each.places[:at]:
                    seats = ((each.variant, one.seat), (each.variant, other.seat))
                    won = 0.5 if one.place == other.place else float(one.place < other.place)
                    if one.who != other.who:
                        yield (one.who, seats[0]), (other.who, seats[1]), counts, won

    def _precision(self, key: object) -> float:
        return (POINT / (100 if isinstance(key, tuple) else 300)) ** 2

    def _chance(self, up: tuple[object, ...], down: tuple[object, ...]) -> float:
        return 1 / (1 + math.exp(sum(self.values[key] for key in down) - sum(self.values[key] for key in up)))

    def _improve(self, key: object) -> float:
        slope, curve = -self._precision(key) * self.values[key], self._precision(key)
        for up, down, counts, won in self._pairs():
            side = (key in up) - (key in down)
            if side:
                chance = self._chance(up, down)
                slope += side * counts * (won - chance)
                curve += counts * chance * (1 - chance)
        step = max(-1.0, min(1.0, slope / curve))
        self.values[key] += step
        return step

    def _curve(self, one: object, other: object) -> float:
        total = self._precision(one) if one == other else 0.0
        for up, down, counts, _won in self._pairs():
            sides = ((one in up) - (one in down)) * ((other in up) - (other in down))
            if sides:
                chance = self._chance(up, down)
                total += sides * counts * chance * (1 - chance)
        return total


def inverse_diagonal(rows: list[list[float]]) -> list[float]:
    """Return the diagonal of the inverse, by elimination."""
    size = len(rows)
    work = [row[:] + [float(at == other) for other in range(size)] for at, row in enumerate(rows)]
    for at in range(size):
        pivot = work[at][at]
        work[at] = [value / pivot for value in work[at]]
        for other in range(size):
            if other != at and work[other][at]:
                factor = work[other][at]
                work[other] = [value - factor * own for value, own in zip(work[other], work[at], strict=True)]
    return [work[at][size + at] for at in range(size)]
