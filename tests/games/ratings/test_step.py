"""What one game does to the ratings of its people at once."""

import itertools
import random

import pytest

from games.ratings.fit import fit_ratings
from games.ratings.scale import NEWCOMER, Strength
from games.ratings.step import expected_share, moved_by
from tests.games.ratings.communities import drawn, table


def drawn_estimates(dice: random.Random, number: int) -> list[Strength]:
    return [Strength(dice.gauss(1500, 300), dice.uniform(20, 300)) for _ in range(number)]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_last_never_rises_and_the_winner_never_falls(seats: int) -> None:
    dice = random.Random(seats)
    for scores in itertools.permutations(range(seats)):
        for _ in range(50):
            game, known = table(range(seats), scores), drawn_estimates(dice, seats)
            worth = {(game.variant, seat): dice.gauss(0, 100) for seat in range(seats)}
            moved = moved_by(game.variant, game.places, known, worth, 40)
            won, lost = scores.index(seats - 1), scores.index(0)
            assert moved[won].after.points >= moved[won].before.points
            assert moved[lost].after.points <= moved[lost].before.points


def test_the_third_after_two_winners_never_rises() -> None:
    game = table([1, 2, 3, 4], [9, 9, 5, 1])
    moved = moved_by(game.variant, game.places, [NEWCOMER] * 4, {}, 40)

    assert [each.place for each in game.places] == [1, 1, 3, 4]
    assert moved[0].after == moved[1].after
    assert moved[2].after.points < moved[2].before.points
    assert [each.expected for each in moved] == pytest.approx([2.5] * 4)


@pytest.mark.parametrize("seats", [3, 4])
def test_whoever_shares_a_place_the_one_who_is_last_alone_never_rises_and_who_won_alone_never_falls(seats: int) -> None:
    dice = random.Random(seats)
    for scores in itertools.product(range(seats), repeat=seats):
        for _ in range(10):
            game, known = table(range(seats), scores), drawn_estimates(dice, seats)
            worth = {(game.variant, seat): dice.gauss(0, 100) for seat in range(seats)}
            for score, moved in zip(scores, moved_by(game.variant, game.places, known, worth, 40), strict=True):
                if scores.count(score) == 1 and score == max(scores):
                    assert moved.after.points >= moved.before.points
                if scores.count(score) == 1 and score == min(scores):
                    assert moved.after.points <= moved.before.points


@pytest.mark.parametrize("seats", [3, 4])
def test_among_equals_who_shares_the_last_place_never_rises_and_who_shares_the_first_never_falls(seats: int) -> None:
    for scores in itertools.product(range(seats), repeat=seats):
        game = table(range(seats), scores)
        moved = moved_by(game.variant, game.places, [NEWCOMER] * seats, {}, 40)
        for score, each in zip(scores, moved, strict=True):
            alike = [other.after for given, other in zip(scores, moved, strict=True) if given == score]
            assert [other.points for other in alike] == pytest.approx([each.after.points] * len(alike))
            if score == max(scores):
                assert each.after.points >= each.before.points
            if score == min(scores):
                assert each.after.points <= each.before.points


@pytest.mark.parametrize("seed", range(20))
def test_a_shared_place_moves_somebody_to_between_the_one_before_it_and_the_one_behind(seed: int) -> None:
    dice = random.Random(seed)
    seats = dice.choice([3, 4])
    known, at = drawn_estimates(dice, seats), dice.randrange(seats)
    scores = [2 * dice.randrange(1, 4) for _ in range(seats)]
    reached = []
    # Odd scores are shared with nobody.
    for scores[at] in range(1, 8):
        game = table(range(seats), scores)
        reached.append(moved_by(game.variant, game.places, known, {}, 40)[at].after.points)
    assert reached == sorted(reached)


def test_every_game_makes_a_rating_more_certain_and_a_pinned_one_stays() -> None:
    game = table([1, "sage-4"], [5, 9])
    person, bot = moved_by(game.variant, game.places, [NEWCOMER, Strength(1700, 0)], {}, 40)

    assert person.after.deviation < person.before.deviation
    assert bot.after == bot.before == Strength(1700, 0)


def test_a_better_seat_expects_a_better_place() -> None:
    game = table([1, 2], [9, 1])
    worth = {("board-2", 0): 100.0, ("board-2", 1): -100.0}
    first, second = moved_by(game.variant, game.places, [NEWCOMER] * 2, worth, 40)

    assert first.expected < 1.5 < second.expected
    assert first.expected + second.expected == pytest.approx(3)


def test_what_is_uncertain_is_expected_to_be_nearer_to_a_half() -> None:
    sure, unsure = (expected_share(Strength(1700, each), Strength(1500, each)) for each in (20, 300))

    assert 0.5 < unsure < sure < 0.77


@pytest.mark.parametrize("seed", range(6))
def test_one_game_moves_people_much_as_the_fit_of_all_games_does(seed: int) -> None:
    tables = drawn(seed, people=30, games=400)
    *before, last = tables
    last = last._replace(months=0)
    known, after = fit_ratings(before), fit_ratings([*before, last]).ratings
    strengths = [known.ratings.get(place.who, NEWCOMER) for place in last.places]
    moved = moved_by(last.variant, last.places, strengths, known.seats, len(known.ratings))

    for place, step in zip(last.places, moved, strict=True):
        assert step.after.points == pytest.approx(after[place.who].points, abs=4)
        assert step.after.deviation == pytest.approx(after[place.who].deviation, abs=3)
