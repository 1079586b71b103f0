"""Intervals and ratings, against figures from elsewhere."""

import json
import random
from itertools import pairwise
from pathlib import Path
from statistics import fmean

import pytest

from games.arena import ratings
from games.arena.errors import ArenaError
from games.arena.figures import average, student, wilson_interval
from games.arena.ratings import Result, rate


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(0, 10, 0.0, 0.2775), (1, 10, 0.0179, 0.4042), (5, 10, 0.2366, 0.7634), (81, 263, 0.2553, 0.3662)],
)
def test_without_ties_the_interval_is_wilsons(wins: int, games: int, low: float, high: float) -> None:
    """The third and fourth are worked examples of Newcombe (1998) and of textbooks, to four digits."""
    found = wilson_interval([1.0] * wins + [0.0] * (games - wins))
    assert found.value == pytest.approx(wins / games)
    assert [found.low, found.high] == pytest.approx([low, high], abs=1e-4)


def test_ties_narrow_the_interval_and_never_close_it() -> None:
    decided, tied = wilson_interval([1.0] * 10 + [0.0] * 10), wilson_interval([1.0] * 5 + [0.5] * 10 + [0.0] * 5)
    assert decided.low < tied.low < 0.5 < tied.high < decided.high
    nothing_but = wilson_interval([0.5] * 20)
    assert nothing_but.low < 0.5 < nothing_but.high


@pytest.mark.parametrize("chances", [(0.5, 0.0, 0.5), (0.6, 0.2, 0.2), (0.1, 0.1, 0.8), (0.93, 0.02, 0.05)])
def test_the_interval_holds_the_truth_95_times_in_100(chances: tuple[float, float, float]) -> None:
    luck, truth = random.Random(1), chances[0] + chances[1] / 2
    samples = [wilson_interval(luck.choices((1.0, 0.5, 0.0), chances, k=60)) for _ in range(3000)]
    assert 0.93 < fmean(each.low <= truth <= each.high for each in samples) < 0.98


@pytest.mark.parametrize(("freedom", "quantile"), [(4, 2.7764), (5, 2.5706), (9, 2.2622), (29, 2.0452), (199, 1.9720)])
def test_the_quantile_is_students(freedom: int, quantile: float) -> None:
    assert student(freedom) == pytest.approx(quantile, rel=5e-3)


def test_the_interval_of_a_mean_is_students() -> None:
    found = average([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0])
    assert found.value == 5.5
    assert [found.low, found.high] == pytest.approx([3.334, 7.666], abs=2e-3)
    assert average([1.0, 2.0]).high == float("inf")


def test_two_ratings_are_apart_as_the_score_says() -> None:
    """With the imagined tie it is 750.5 of 1001 points: 191 on Elo's scale."""
    rated = rate([Result("greedy", "random", 1000, 750)])
    assert rated["greedy"] == (1000, 1000, 1000, 1000)
    assert rated["random"].rating == 1000 - 191
    error = rated["random"].high - rated["random"].rating
    assert error == pytest.approx(1.96 * 400 / 2.302585 / (1001 * 0.74975 * 0.25025) ** 0.5, abs=1)


def test_ratings_of_many_are_found_again_from_their_results() -> None:
    luck, truth = random.Random(2), {"greedy": 1000, "a": 1100, "b": 1250, "c": 900}
    results = []
    for first in truth:
        for second in truth:
            chance = 1 / (1 + 10 ** ((truth[second] - truth[first]) / 400))
            points = sum(luck.random() < chance for _ in range(400))
            results += [Result(first, second, 400, points)] if first < second else []
    rated = rate(results)
    assert all(each.low - 10 <= truth[name] <= each.high + 10 for name, each in rated.items())
    assert rated["b"].rating > rated["a"].rating > rated["greedy"].rating > rated["c"].rating


def test_who_wins_every_game_up_a_long_ladder_is_rated_highly_not_infinitely() -> None:
    names = ["greedy", *"abcdefgh"]
    rated = rate([Result(upper, lower, 200, 200) for lower, upper in pairwise(names)])
    apart = [rated[upper].rating - rated[lower].rating for lower, upper in pairwise(names)]
    assert all(1040 < each < 1045 for each in apart)
    assert all(each.low < each.rating < each.high for name, each in rated.items() if name != "greedy")


def test_players_that_never_met_cannot_be_compared() -> None:
    with pytest.raises(ArenaError, match="No games lead from greedy to c, d"):
        rate([Result("greedy", "b", 10, 5), Result("c", "d", 10, 5)])


def test_ratings_of_a_variant_stand_beside_those_of_others(tmp_path: Path) -> None:
    path = tmp_path / "ratings.json"
    rated = rate([Result("greedy", "random", 10, 9)])
    ratings.write(path, "duo", rated)
    ratings.write(path, "junior", rated)
    ratings.write(path, "duo", rated)
    kept = json.loads(path.read_text())
    assert set(kept) == {"duo", "junior"}
    assert kept["duo"]["greedy"] == {"rating": 1000, "low": 1000, "high": 1000, "games": 10}
    assert list(tmp_path.iterdir()) == [path]
