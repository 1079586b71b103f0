"""What one game does to the ratings of its people at once; the next fit of all games takes the place of it.

Each person is moved by their own pairs alone, against the others as they were before the game. So a game that was won
never lowers a rating, and one that was finished last never raises it.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from games.ratings.scale import ELO_POINTS, SPREAD, Offsets, RatedPlace, Strength, damped, point_won, share, weight


class Moved(NamedTuple):
    """What a game did to one person: the place that was to be expected, and the rating before and after it."""

    expected: float
    before: Strength
    after: Strength


def expected_share(one: Strength, other: Strength, advantage: float = 0.0) -> float:
    """Return the share of a point that is expected of the first; `advantage` is what the seat is worth, in points."""
    variance = (one.deviation**2 + other.deviation**2) / ELO_POINTS**2
    return share(damped(variance) * (one.points - other.points + advantage) / ELO_POINTS)


def moved_by(
    variant: str, places: Sequence[RatedPlace], known: Sequence[Strength], seats: Offsets, people: int
) -> list[Moved]:
    """Return what a game does to those who sat there, of whom that was known before it; who is pinned stays so.

    `people` is how many are rated in all. How strong they are together is uncertain too, and no game among them tells.
    """
    worth = [seats.get((variant, place.seat), 0.0) for place in places]
    shared = SPREAD**2 / max(people, len(places))
    return [_moved(at, places, known, worth, shared) for at in range(len(places))]


def _moved(
    at: int, places: Sequence[RatedPlace], known: Sequence[Strength], worth: Sequence[float], shared: float
) -> Moved:
    mine, own = known[at], places[at]
    expected, surprise, sharpness = 1.0, 0.0, 0.0
    counts = weight(len(places)) if len(places) > 1 else 0.0
    for other, (place, theirs) in enumerate(zip(places, known, strict=True)):
        if other == at or place.who == own.who:
            continue
        advantage = worth[at] - worth[other]
        expected += 1 - expected_share(mine, theirs, advantage)
        less = damped((theirs.deviation / ELO_POINTS) ** 2)
        likely = share(less * (mine.points - theirs.points + advantage) / ELO_POINTS)
        surprise += counts * less * (point_won(own.place, place.place) - likely)
        sharpness += counts * less**2 * likely * (1 - likely)
    if not mine.deviation:
        return Moved(expected, mine, mine)
    # What is uncertain of this person alone: only that a game makes more certain.
    alone = max(mine.deviation**2 - shared, mine.deviation**2 / 10) / ELO_POINTS**2
    variance = 1 / (1 / alone + sharpness)
    deviation = math.sqrt(mine.deviation**2 + (variance - alone) * ELO_POINTS**2)
    return Moved(expected, mine, Strength(mine.points + variance * surprise * ELO_POINTS, deviation))
