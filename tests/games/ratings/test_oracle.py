"""What ratings are measured against: an oracle that knows every strength but one, and learns that one exactly."""

import itertools
import math
import random

import numpy as np
import pytest

from benchmarks.communities import MONTHS, Community, draw_community
from benchmarks.oracle import LeaveOneOutOracle, order_likelihoods
from benchmarks.ratings import Batch, pairs


def community(seed: int, seats: int, *, is_normal: bool) -> Community:
    dice = random.Random(seed)
    while True:
        found = draw_community(dice, 16)
        if (found.seats, found.is_normal) == (seats, is_normal):
            return found


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("is_normal", [False, True])
def test_the_chances_of_all_orders_of_finish_add_up_to_one(seats: int, is_normal: bool) -> None:
    oracle = LeaveOneOutOracle(community(1, seats, is_normal=is_normal))
    places = [
        each
        for each in itertools.product(range(1, seats + 1), repeat=seats)
        if all(place == 1 + sorted(each).index(place) for place in each)
    ]
    total = sum(order_likelihoods(each, oracle.own) for each in places)
    assert total == pytest.approx(1)


@pytest.mark.parametrize("seats", [2, 3])
def test_an_order_of_finish_says_of_two_what_the_truth_says(seats: int) -> None:
    known = community(2, seats, is_normal=False)
    oracle = LeaveOneOutOracle(known)
    middle = len(oracle.grid) // 2
    scores = [rows[middle : middle + 1] for rows in oracle.own]
    share = 0.0
    for each in itertools.product(range(1, seats + 1), repeat=seats):
        if all(place == 1 + sorted(each).index(place) for place in each):
            points = 0.5 if each[0] == each[1] else float(each[0] < each[1])
            share += points * float(order_likelihoods(each, scores)[0])
    assert share == pytest.approx(float(known.shares(np.array([known.worth[0] - known.worth[1]]))[0]), abs=0.002)


def test_who_is_told_all_but_one_foretells_better_than_the_fit_and_worse_than_the_truth() -> None:
    lost = dict.fromkeys(("truth", "oracle", "fit"), 0.0)
    for seed, seats in ((3, 2), (4, 3), (5, 4)):
        known = community(seed, seats, is_normal=seats == 3)
        oracle, fit, half = LeaveOneOutOracle(known), Batch(known), MONTHS // 2
        oracle.read(half)
        fit.read([game for game in known.games if game.month < half], half)
        for game in known.games:
            if half <= game.month:
                for one, other in pairs(game):
                    true = known.truth(game, one, other)
                    first, second, _both = oracle.shares(game, one, other)
                    for name, shares in {
                        "truth": [true],
                        "oracle": [first, second],
                        "fit": [fit(game, one, other)],
                    }.items():
                        # What is to be lost on average, whatever came.
                        lost[name] += sum(-true * math.log(p) - (1 - true) * math.log(1 - p) for p in shares) / len(
                            shares
                        )
    assert lost["truth"] < lost["oracle"] < lost["fit"]
