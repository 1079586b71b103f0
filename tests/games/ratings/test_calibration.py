"""What ratings foretell comes as often as they say: a small form of `python -m benchmarks.ratings`."""

import random

import pytest

from benchmarks.communities import MONTHS, Community, draw_community
from benchmarks.ratings import FORETOLD_EVERY, FORETOLD_FROM, MISCALIBRATED, Batch, Judged, pairs
from games.ratings import fit

pytestmark = pytest.mark.slow

COMMUNITIES, PEOPLE = 12, (30, 150)


def judged() -> Judged:
    """Return how well ratings have foretold the last months of some communities.

    Of two at a table the first is the one with the better seat, so that it is seen whether seats are known.
    """
    found, dice = Judged(), random.Random(7)
    for _number in range(COMMUNITIES):
        community = draw_community(dice, dice.randint(*PEOPLE))
        for month in range(FORETOLD_FROM, MONTHS, FORETOLD_EVERY):
            foretell(community, month, found)
    return found


def foretell(community: Community, month: int, found: Judged) -> None:
    """Have the ratings of a month foretell the games that come, and note what came."""
    ratings = Batch(community)
    ratings.read([game for game in community.games if game.month < month], month)
    for game in community.games:
        if month <= game.month < month + FORETOLD_EVERY:
            for pair in pairs(game):
                one, other = sorted(pair, key=lambda seat: -community.worth[seat])
                mine, theirs = game.places[one], game.places[other]
                found.note(ratings(game, one, other), 0.5 if mine == theirs else float(mine < theirs))


def test_what_is_foretold_comes_as_often_as_said() -> None:
    found = judged()
    assert found.number > 9000
    # 0.014. Among so few games what comes lies 0.015 from the truth itself, by chance.
    assert found.calibration <= MISCALIBRATED


def test_it_is_seen_where_ratings_do_not_know_who_began(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fit, "SEAT_SPREAD", 0.01)
    # 0.067.
    assert judged().calibration > 2 * MISCALIBRATED
