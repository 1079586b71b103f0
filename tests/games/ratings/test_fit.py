"""The ratings of all people at once (docs/ratings.md)."""

import random
from itertools import pairwise

import pytest

from games.ratings import fit
from games.ratings.families import FAMILIES, rating_family
from games.ratings.fit import fit_ratings
from games.ratings.scale import NEWCOMER, Who
from games.rules.variants import VARIANTS
from tests.games.ratings.communities import Naive, drawn, table


@pytest.mark.parametrize("seed", range(4))
def test_a_naive_way_finds_the_same_ratings_and_deviations(seed: int) -> None:
    tables = drawn(seed, people=7, games=25)
    pins: dict[Who, float] = {3: 1620.0} if seed % 2 else {}
    found, naive = fit_ratings(tables, pinned=pins), Naive(tables, pins)

    assert {who: each.points for who, each in found.ratings.items()} == pytest.approx(
        {who: points for who, points in naive.points.items() if isinstance(who, int)}, abs=0.01
    )
    assert {who: each.deviation for who, each in found.ratings.items()} == pytest.approx(
        {who: deviation for who, deviation in naive.deviations.items() if isinstance(who, int)}, abs=0.01
    )
    assert dict(found.seats) == pytest.approx(
        {key: points for key, points in naive.points.items() if isinstance(key, tuple)}, abs=0.01
    )


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_games_and_of_seats_changes_nothing(seed: int) -> None:
    tables = drawn(seed, people=20, games=120)
    dice = random.Random(seed)
    mixed = [each._replace(places=tuple(dice.sample(each.places, len(each.places)))) for each in tables]
    dice.shuffle(mixed)
    first, second = fit_ratings(tables), fit_ratings(mixed)

    assert repr(first) == repr(second)


def test_one_who_was_never_compared_has_no_rating() -> None:
    assert fit_ratings([]).ratings == {}
    assert fit_ratings([table([1], [9])]).ratings == {}


def test_equal_results_leave_two_where_they_began() -> None:
    found = fit_ratings([table([1, 2], [5, 5]), table([2, 1], [5, 5])])

    assert {each.points for each in found.ratings.values()} == {1500.0}
    assert all(each.deviation < NEWCOMER.deviation for each in found.ratings.values())


def test_who_is_pinned_stays_and_shows_how_strong_the_others_are() -> None:
    pins: dict[Who, float] = {"sage-4": 1700.0}
    found = fit_ratings([table([1, "sage-4"], [5, 5]) for _ in range(40)], pinned=pins)

    assert set(found.ratings) == {1}
    assert found.ratings[1].points > 1640


def test_a_bot_with_two_seats_says_nothing_about_itself() -> None:
    seats = [table(["sage-4", 1, "sage-4"], [9, 5, 1])]

    assert fit_ratings(seats, pinned={"sage-4": 1500.0}).ratings[1].points == pytest.approx(1500, abs=1)


def test_a_table_of_four_says_no_more_of_a_person_than_a_game_of_two(monkeypatch: pytest.MonkeyPatch) -> None:
    # All as strong as each other, and opponents and seats known.
    monkeypatch.setattr(fit, "SEAT_SPREAD", 0.01)
    pins: dict[Who, float] = {"a": 1500.0, "b": 1500.0, "c": 1500.0}
    two = fit_ratings([table([1, "a"], [5, 5], variant="x")], pinned=pins)
    four = fit_ratings([table([1, "a", "b", "c"], [5, 5, 5, 5], variant="x")], pinned=pins)

    assert four.ratings[1].deviation >= two.ratings[1].deviation - 0.01


def test_who_began_is_no_strength() -> None:
    """Seven of eight first movers win; the one who always began, and won as often, is no stronger for that."""
    dice = random.Random(5)
    others = [table(dice.sample(range(10, 30), 2), [int(at % 8 > 0), int(at % 8 == 0)]) for at in range(800)]
    own = [table([1, dice.randrange(10, 30)], [int(at % 8 > 0), int(at % 8 == 0)]) for at in range(40)]
    found = fit_ratings([*others, *own])

    assert found.seats["board-2", 0] - found.seats["board-2", 1] > 250
    assert abs(found.ratings[1].points - 1500) < 60


def test_old_games_count_less() -> None:
    def found(months: int) -> float:
        return fit_ratings([table([1, 2], [5, 1], months=months) for _ in range(5)]).ratings[1].points

    assert found(0) > found(36) > found(120) > 1500


@pytest.mark.parametrize("seed", range(12))
def test_all_else_equal_to_finish_last_raises_nobody_and_to_win_lowers_nobody(seed: int) -> None:
    """The same table, the others among themselves as they were: only the place of one person differs."""
    dice = random.Random(seed)
    people = dice.randrange(4, 12)
    tables = drawn(seed, people=people, games=dice.randrange(1, 60))
    for _ in range(4):
        sat = dice.sample(range(people), dice.choice([2, 3, 4]))
        scores = [dice.randrange(1, 9) for _ in sat]
        at = dice.randrange(len(sat))
        as_place = {}
        others = [score for seat, score in enumerate(scores) if seat != at]
        shared = (("last with another", min(others)), ("first with another", max(others)))
        for name, score in (("last", 0), ("between", scores[at]), ("won", 9), *shared):
            scores[at] = score
            as_place[name] = fit_ratings([*tables, table(sat, scores)]).ratings[sat[at]].points
        assert as_place["last"] - 0.01 <= as_place["between"] <= as_place["won"] + 0.01
        order = ("last", "last with another", "first with another", "won")
        for worse, better in pairwise(order):
            assert as_place[worse] <= as_place[better] + 0.01


@pytest.mark.parametrize("seed", range(12))
def test_a_game_between_two_never_moves_the_winner_down_or_the_other_up(seed: int) -> None:
    dice = random.Random(seed)
    people = dice.randrange(4, 12)
    tables = drawn(seed, people=people, games=dice.randrange(20, 60), seats=[2])
    before = fit_ratings(tables).ratings
    winner, loser = dice.sample(sorted(before), 2)
    after = fit_ratings([*tables, table([winner, loser], [9, 1])]).ratings

    assert after[winner].points >= before[winner].points - 0.01
    assert after[loser].points <= before[loser].points + 0.01


def test_neighbours_tell_the_same_deviations_where_no_ring_has_played(monkeypatch: pytest.MonkeyPatch) -> None:
    # Seats as good as known: their own uncertainty is left out by neighbours.
    monkeypatch.setattr(fit, "SEAT_SPREAD", 0.01)
    tables = [table([one, other], [2, 1]) for one, other in [(1, 2), (2, 3), (2, 3), (3, 4), (3, 5), (6, 7)]]
    exact = fit_ratings(tables).ratings
    monkeypatch.setattr(fit, "INVERTED", 0)

    near = fit_ratings(tables).ratings
    assert {who: each.deviation for who, each in near.items()} == pytest.approx(
        {who: each.deviation for who, each in exact.items()}, abs=0.02
    )


def test_neighbours_are_near_the_truth_in_a_crowd(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = drawn(3, people=300, games=3000)
    exact = fit_ratings(tables).ratings
    monkeypatch.setattr(fit, "INVERTED", 0)
    near = fit_ratings(tables).ratings

    assert {who: each.points for who, each in near.items()} == {who: each.points for who, each in exact.items()}
    assert all(0.93 < near[who].deviation / each.deviation <= 1.001 for who, each in exact.items())


def test_block_you_and_classic_are_rated_by_players_and_others_together() -> None:
    assert rating_family("blockyou-4") == "blockyou-4" != rating_family("blockyou-3")
    assert rating_family("trigon-2") == rating_family("trigon-4") == "trigon"
    assert rating_family("codingame-3:13:42") == "codingame"
    assert rating_family("junior") == "junior" != rating_family("duo")
    assert {rating_family(variant) for variant in VARIANTS} == set(FAMILIES)
