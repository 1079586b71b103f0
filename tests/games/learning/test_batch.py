"""A batch of games plays by the rules, whoever looks and however many there are."""

import os
import random

import numpy as np
import pytest

from games.learning.batch import MARGIN, Batch, IllegalActionError
from games.rules import VARIANTS
from tests.games.learning.agreement import play_beside
from tests.proof import proof

#: Games of the long proof, over all variants and scorings; `LEARNING_GAMES=100000` asks for more.
GAMES = int(os.environ.get("LEARNING_GAMES", "10000"))
TERMS = [(variant.id, scoring) for variant in VARIANTS.values() for scoring in variant.scorings]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_position_of_a_game_is_as_the_rules_have_it(variant: str) -> None:
    play_beside(Batch(variant, 2), 1, random.Random(3))


@pytest.mark.proof
@pytest.mark.parametrize(("variant", "scoring"), TERMS)
def test_ten_thousand_games_are_as_the_rules_have_them(variant: str, scoring: str) -> None:
    play_beside(Batch(variant, 8, scoring=scoring), GAMES // len(TERMS) + 1, random.Random(5))


@pytest.mark.parametrize("variant", ["codingame-2:7:3", *proof("codingame-4:26:11")])
def test_boards_of_a_chosen_size_are_played_too(variant: str) -> None:
    play_beside(Batch(variant, 1), 1, random.Random(4))


def test_an_illegal_action_is_refused_and_nothing_changes_in_any_game() -> None:
    batch = Batch("duo", 3)
    masks, planes = batch.masks.copy(), batch.planes.copy()
    illegal = int(np.flatnonzero(batch.masks[1] == 0)[0])
    actions = batch.sample()
    for wrong in (illegal, -1, batch.actions):
        actions[1] = wrong
        with pytest.raises(IllegalActionError) as refused:
            batch.step(actions)
        assert (refused.value.game, refused.value.action) == (1, wrong)
    assert np.array_equal(batch.masks, masks)
    assert np.array_equal(batch.planes, planes)


def test_a_mask_that_was_written_over_makes_nothing_legal() -> None:
    batch = Batch("duo", 1)
    illegal = int(np.flatnonzero(batch.masks[0] == 0)[0])
    batch.masks[:] = 1
    with pytest.raises(IllegalActionError):
        batch.step(np.array([illegal]))


def test_a_game_is_the_same_alone_and_among_others() -> None:
    seeds = [7, 1, 8]
    together, alone = Batch("junior", 3, seeds=seeds), Batch("junior", 1, seeds=[8])
    for _ in range(60):
        drawn, same = together.sample(), alone.sample()
        assert drawn[2] == same[0]
        together.step(drawn)
        alone.step(same)
        assert np.array_equal(together.planes[2], alone.planes[0])


def test_games_of_other_seeds_differ_from_the_first_placement_on() -> None:
    assert len(set(Batch("blockyou-4", 40, seeds=range(40)).sample().tolist())) > 15


def test_what_is_shown_is_written_into_the_callers_arrays() -> None:
    shapes = Batch("duo", 2)
    masks = np.ones(shapes.masks.shape, np.bool_)
    planes = np.zeros(shapes.planes.shape, np.uint8)
    stocks = np.zeros(shapes.stocks.shape, np.int8)
    batch = Batch("duo", 2, masks=masks, planes=planes, stocks=stocks)
    for _ in range(5):
        batch.step(batch.sample())
        shapes.step(shapes.sample())
    assert np.array_equal(masks, shapes.masks)
    assert np.array_equal(planes, shapes.planes)
    assert np.array_equal(stocks, shapes.stocks)


@pytest.mark.parametrize(
    "masks", [np.zeros((1, 3), np.int8), np.zeros((2, 13729), np.int32), np.zeros((4, 13729), np.int8)[::2]]
)
def test_an_array_that_does_not_fit_is_refused(masks: np.ndarray) -> None:
    with pytest.raises(ValueError, match="of the shape"):
        Batch("duo", 2, masks=masks)


def test_a_batch_refuses_no_games_unknown_rewards_and_seeds_of_another_number() -> None:
    with pytest.raises(ValueError, match="games of a batch is a whole number from 1 to"):
        Batch("duo", 0)
    with pytest.raises(ValueError, match="Choose from: rank, margin"):
        Batch("duo", 1, rewards="fame")
    with pytest.raises(ValueError, match="2 games and 1 seeds"):
        Batch("duo", 2, seeds=[1])


def test_a_game_that_does_not_begin_again_shows_nobody_to_play() -> None:
    batch = Batch("junior", 1, autoreset=False)
    while not batch.ended[0]:
        batch.step(batch.sample())
    assert (batch.colours[0], batch.seats[0], batch.masks.sum()) == (-1, -1, 0)


def test_a_margin_is_the_points_ahead_of_the_mean_of_the_others_in_stocks() -> None:
    batch = Batch("blockyou-3", 1, rewards=MARGIN)
    while not batch.ended[0]:
        batch.step(batch.sample())
    scores = batch.scores[0]
    ahead = [(3 * score - scores.sum()) / 2 / batch.variant.stock_cells for score in scores]
    assert batch.rewards[0] == pytest.approx(ahead, abs=1e-6)


def test_shaping_rewards_each_placed_cell_and_adds_up_to_the_part_of_the_stock_that_was_placed() -> None:
    batch, got = Batch("duo", 1, shaping=0.5), np.zeros(2)
    while not batch.ended[0]:
        seat = batch.seats[0]
        batch.step(batch.sample())
        got += batch.rewards[0]
        if not batch.ended[0]:
            assert batch.rewards[0, seat] > 0
            assert batch.rewards[0, 1 - seat] == 0
    left = [-min(score, 0) for score in batch.scores[0]]
    by_rank = np.sign(batch.scores[0] - batch.scores[0][::-1])
    assert got == pytest.approx([0.5 * (89 - each) / 89 + rank for each, rank in zip(left, by_rank, strict=True)])


def test_without_planes_only_the_masks_are_written() -> None:
    batch = Batch("duo", 1, has_planes=False)
    batch.step(batch.sample())
    assert batch.masks.any()
    assert not batch.planes.any()
