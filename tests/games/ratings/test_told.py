"""What ratings are measured against: somebody who is told every strength but one, and learns that one exactly."""

import itertools
import math
import random

import pytest

from benchmarks.communities import MONTHS, Community, drawn
from benchmarks.ratings import Batch, pairs
from benchmarks.told import ToldAllButOne, likely_orders


def community(seed: int, seats: int, *, is_normal: bool) -> Community:
    dice = random.Random(seed)
    while True:
        found = drawn(dice, 16)
        if (found.seats, found.is_normal) == (seats, is_normal):
            return found


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("is_normal", [False, True])
def test_the_chances_of_all_orders_of_finish_add_up_to_one(seats: int, is_normal: bool) -> None:
    told = ToldAllButOne(community(1, seats, is_normal=is_normal))
    places = [
        each
        for each in itertools.product(range(1, seats + 1), repeat=seats)
        if all(place == 1 + sorted(each).index(place) for place in each)
    ]
    total = sum(likely_orders(each, told.own) for each in places)
    assert total == pytest.approx(1)


@pytest.mark.parametrize("seats", [2, 3])
def test_an_order_of_finish_says_of_two_what_the_truth_says(seats: int) -> None:
    known = community(2, seats, is_normal=False)
    told = ToldAllButOne(known)
    middle = len(told.grid) // 2
    scores = [rows[middle : middle + 1] for rows in told.own]
    share = 0.0
    for each in itertools.product(range(1, seats + 1), repeat=seats):
        if all(place == 1 + sorted(each).index(place) for place in each):
            points = 0.5 if each[0] == each[1] else float(each[0] < each[1])
            share += points * float(likely_orders(each, scores)[0])
    assert share == pytest.approx(float(known.shares(told.edge_of(0, 1))[0]), abs=0.002)


def test_who_is_told_all_but_one_foretells_better_than_the_fit_and_worse_than_the_truth() -> None:
    lost = dict.fromkeys(("truth", "told", "fit"), 0.0)
    for seed, seats in ((3, 2), (4, 3), (5, 4)):
        known = community(seed, seats, is_normal=seats == 3)
        told, fit, half = ToldAllButOne(known), Batch(known), MONTHS // 2
        told.read(half)
        fit.read([game for game in known.games if game.month < half], half)
        for game in known.games:
            if half <= game.month:
                for one, other in pairs(game):
                    true = known.truth(game, one, other)
                    first, second, _untold = told.shares(game, one, other)
                    for name, shares in {
                        "truth": [true],
                        "told": [first, second],
                        "fit": [fit(game, one, other)],
                    }.items():
                        # What is to be lost on average, whatever came.
                        lost[name] += sum(-true * math.log(p) - (1 - true) * math.log(1 - p) for p in shares) / len(
                            shares
                        )
    assert lost["truth"] < lost["told"] < lost["fit"]
