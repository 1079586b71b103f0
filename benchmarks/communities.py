"""Communities whose strengths are known, because they are drawn: who sits down with whom, and how games end."""

import itertools
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.ratings.scale import ELO_POINTS

Floats = NDArray[np.float64]

#: So many months are played.
MONTHS = 24
#: Results are rounded to this grain, in units of strength, so that some are ties.
GRAIN = 0.25
#: Of the people at a table so many leave before its end.
LEAVERS = 0.03
#: What a strength drifts by in a month, in points: one standard deviation.
DRIFT = 12.0
#: How much the strength of noise in a game spreads, where it is normal, so that differences spread as logistic ones.
NOISE = math.pi / math.sqrt(6)


@dataclass(frozen=True)
class Played:
    """A game: its month, who sat there in the order of seats, and their places."""

    month: int
    people: tuple[int, ...]
    places: tuple[int, ...]


@dataclass
class Community:
    """People, what is true of them, and what they have played."""

    size: int
    seats: int
    worth: list[float]
    #: By month, then by person, in units.
    strengths: list[list[float]]
    games: list[Played]
    is_normal: bool
    #: How far strengths lie apart in the first month, in units.
    spread: float

    def truth(self, game: Played, one: int, other: int) -> float:
        """Return what the first of two seats may expect of the point between them, ties half."""
        now = self.strengths[game.month]
        gap = now[game.people[one]] + self.worth[one] - now[game.people[other]] - self.worth[other]
        return float(self.shares(np.array([gap]))[0])

    def shares(self, gaps: Floats) -> Floats:
        """Return the same for each gap between two who sit there, in units."""
        area = _normal_cdf_integral if self.is_normal else _logistic_integral
        fair = (area(gaps + GRAIN) - area(gaps - GRAIN)) / (2 * GRAIN)
        share: Floats = (1 - LEAVERS) ** 2 * fair + LEAVERS * (1 - LEAVERS) + LEAVERS**2 / 2
        return share

    def noise_cdf(self, gaps: Floats) -> Floats:
        """Return the cumulative distribution of one person's noise in a game at each gap."""
        below: Floats = normal_cdf(gaps / NOISE) if self.is_normal else np.exp(-np.exp(-gaps))
        return below


def normal_cdf(values: Floats) -> Floats:
    """Return the cumulative normal distribution at each value, to seven decimals."""
    below: Floats = np.interp(values, _AT, _BELOW)
    return below


_AT = np.linspace(-9, 9, 18_001)
_BELOW = np.array([0.5 * (1 + math.erf(each / math.sqrt(2))) for each in _AT])


def _logistic_integral(gaps: Floats) -> Floats:
    """Return the integral of the share where a game's noise is Gumbel's; results are rounded to a grain anywhere."""
    area: Floats = np.logaddexp(0, gaps)
    return area


def _normal_cdf_integral(gaps: Floats) -> Floats:
    """Return the same where the noise is normal, with the same spread of differences."""
    at = gaps / (NOISE * math.sqrt(2))
    area: Floats = gaps * normal_cdf(at) + NOISE * math.sqrt(2) * np.exp(-at * at / 2) / math.sqrt(2 * math.pi)
    return area


def draw_community(dice: random.Random, size: int) -> Community:
    """Return a community of that many people."""
    seats = dice.choice([2, 3, 4])
    spread, is_normal = dice.uniform(120, 350) / ELO_POINTS, dice.random() < 0.5
    worth = [dice.gauss(0, 80) / ELO_POINTS for _ in range(seats)]
    strengths = [[dice.gauss(0, spread) for _ in range(size)]]
    for _month in range(1, MONTHS):
        strengths.append([each + dice.gauss(0, DRIFT) / ELO_POINTS for each in strengths[-1]])
    eagerness = [dice.lognormvariate(0, 0.8) for _ in range(size)]
    begins = [dice.choice([0, 0, 0, dice.randrange(MONTHS)]) for _ in range(size)]
    for person in range(seats):
        begins[person] = 0
    games = []
    number = round(size * dice.uniform(15, 60) / seats)
    months = sorted(dice.randrange(MONTHS) for _ in range(number))
    crowds = {month: _Crowd.of(eagerness, begins, month) for month in sorted({*months})}
    for month in months:
        people = crowds[month].sat_down(dice, seats)
        games.append(
            Played(month, people, draw_places(dice, [strengths[month][who] for who in people], worth, is_normal))
        )
    return Community(size, seats, worth, strengths, games, is_normal, spread)


@dataclass(frozen=True)
class _Crowd:
    """Who is there in a month, and how eager they are, added up in their order."""

    here: list[int]
    eager: list[float]

    @classmethod
    def of(cls, eagerness: Sequence[float], begins: Sequence[int], month: int) -> "_Crowd":
        here = [person for person, first in enumerate(begins) if first <= month]
        return cls(here, list(itertools.accumulate(eagerness[each] for each in here)))

    def sat_down(self, dice: random.Random, seats: int) -> tuple[int, ...]:
        people: list[int] = []
        while len(people) < seats:
            (one,) = dice.choices(self.here, cum_weights=self.eager)
            if one not in people:
                people.append(one)
        return tuple(people)


def draw_places(
    dice: random.Random, strengths: Sequence[float], worth: Sequence[float], is_normal: bool
) -> tuple[int, ...]:
    """Return the places in which people of these strengths finish a game."""
    shift, results = dice.random(), []
    for strength, seat in zip(strengths, worth, strict=True):
        noise = dice.gauss(0, NOISE) if is_normal else -math.log(-math.log(dice.random()))
        score = math.floor((strength + seat + noise) / GRAIN + shift)
        results.append(-math.inf if dice.random() < LEAVERS else score)
    ranked = sorted(results, reverse=True)
    return tuple(1 + ranked.index(each) for each in results)
