"""Ratings from the results of matches, by maximum likelihood, on Elo's scale.

The model is Bradley's and Terry's: a player rated d above another is expected to score 1 / (1 + 10^(-d / 400)). A tie
is half a win for each. One imagined tie is added for every two players who met, so that a player who won every game is
rated highly, not infinitely so. One player's rating is given; the interval of any other is that of the distance between
the two.
"""

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from games.arena.errors import ArenaError
from games.arena.figures import Z

#: The player whose rating is fixed, and the rating. Where it does not play, the first player's is fixed.
ANCHOR, ANCHOR_RATING = "greedy", 1000
_SCALE = 400 / math.log(10)
_STEPS = 200
_LONGEST_STEP = 2.0


class Result(NamedTuple):
    """What `first` scored in some games against `second`."""

    first: str
    second: str
    games: int
    points: float


class Rating(NamedTuple):
    """A rating with its two-sided 95 % interval, and from how many games it is."""

    rating: int
    low: int
    high: int
    games: int


class _Met(NamedTuple):
    """A result by the players' numbers, with the imagined tie."""

    first: int
    second: int
    games: float
    points: float


def rate(results: Iterable[Result]) -> dict[str, Rating]:
    """Return the rating of every player, in the order of first mention.

    Raises:
        ArenaError: some have never met the others, not even by way of third ones.

    """
    results = list(results)
    names = list(dict.fromkeys(name for result in results for name in (result.first, result.second)))
    if not names:
        return {}
    number = {name: n for n, name in enumerate(names)}
    anchor = number.get(ANCHOR, 0)
    met = [_Met(number[r.first], number[r.second], r.games + 1, r.points + 0.5) for r in results]
    _check_connected(names, met, anchor)
    strengths, errors = _fit(met, len(names), anchor)
    played: dict[str, int] = defaultdict(int)
    for result in results:
        played[result.first] += result.games
        played[result.second] += result.games
    return {name: _rating(strengths[n], errors[n], played[name]) for name, n in number.items()}


def _rating(strength: float, error: float, games: int) -> Rating:
    reach = Z * error
    low, middle, high = (round(ANCHOR_RATING + _SCALE * (strength + by)) for by in (-reach, 0, reach))
    return Rating(middle, low, high, games)


def _check_connected(names: Sequence[str], met: Sequence[_Met], anchor: int) -> None:
    known = {anchor}
    for _ in names:
        known |= {n for pair in met if known & {pair.first, pair.second} for n in (pair.first, pair.second)}
    alone = [name for n, name in enumerate(names) if n not in known]
    if alone:
        raise ArenaError(f"No games lead from {names[anchor]} to {', '.join(alone)}: play some.")


def _fit(met: Sequence[_Met], count: int, anchor: int) -> tuple[list[float], list[float]]:
    """Return the strengths, in natural units and 0 for the anchor, and the standard errors: Newton's method."""
    strengths = [0.0] * count
    free = [n for n in range(count) if n != anchor]
    index_of = {n: at for at, n in enumerate(free)}
    for _ in range(_STEPS):
        slopes, bends = _derivatives(met, strengths, index_of)
        steps = _solve(bends, slopes)
        for n, step in zip(free, steps, strict=True):
            strengths[n] += max(-_LONGEST_STEP, min(_LONGEST_STEP, step))
        if max(map(abs, steps), default=0.0) < 1e-9:
            break
    _slopes, bends = _derivatives(met, strengths, index_of)
    errors = [0.0] * count
    for n in free:
        unit = [float(other == n) for other in free]
        errors[n] = math.sqrt(_solve(bends, unit)[index_of[n]])
    return strengths, errors


def _derivatives(
    met: Sequence[_Met], strengths: Sequence[float], index_of: Mapping[int, int]
) -> tuple[list[float], list[list[float]]]:
    """Return the first derivatives of the log-likelihood, and the second ones with their sign turned."""
    slopes = [0.0] * len(index_of)
    bends = [[0.0] * len(index_of) for _ in index_of]
    for pair in met:
        expected = 1 / (1 + math.exp(strengths[pair.second] - strengths[pair.first]))
        surprise = pair.points - pair.games * expected
        bend = pair.games * expected * (1 - expected)
        ends = [(index_of[n], sign) for n, sign in ((pair.first, 1), (pair.second, -1)) if n in index_of]
        for at, sign in ends:
            slopes[at] += sign * surprise
            for other, other_sign in ends:
                bends[at][other] += sign * other_sign * bend
    return slopes, bends


def _solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Return x of matrix x = right for a symmetric positive matrix, by elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for at, pivot in enumerate(rows):
        for other in rows:
            if other is not pivot:
                factor = other[at] / pivot[at]
                other[:] = [value - factor * own for value, own in zip(other, pivot, strict=True)]
    return [row[-1] / row[at] for at, row in enumerate(rows)]


def write(path: Path, variant: str, ratings: Mapping[str, Rating]) -> None:
    """Put a variant's ratings into a file beside those of the other variants; as a whole or not at all."""
    kept = json.loads(path.read_text("utf-8")) if path.exists() else {}
    kept[variant] = {name: rating._asdict() for name, rating in ratings.items()}
    beside = path.with_name(path.name + ".new")
    beside.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", "utf-8")
    beside.replace(path)
