"""The engine and an independent one agree, position by position."""

from itertools import pairwise
from random import Random

import pytest

from games.rules import Position
from tests.rules.games import legal_points, random_positions
from tests.rules.reference import NaiveGame

#: Random games, more than 2,000 positions together.
TABLES = [
    pytest.param("blockyou-4", None, range(100, 117), marks=pytest.mark.proof),
    pytest.param("blockyou-3", ("green", "blue", "red"), range(200, 208), marks=pytest.mark.proof),
    ("blockyou-3", ("yellow", "red", "green"), range(208, 212)),
    ("blockyou-2", None, range(300, 308)),
]


@pytest.mark.parametrize(("variant", "colours", "seeds"), TABLES)
@pytest.mark.slow
def test_both_engines_see_the_same_game(variant: str, colours: tuple[str, ...] | None, seeds: range) -> None:
    compared = 0
    for seed in seeds:
        positions = list(random_positions(seed, variant, colours))
        naive = NaiveGame(positions[0].colours_in_play)
        for before, after in pairwise(positions):
            compare(before, naive, in_full=compared % 4 == 0)
            advance(naive, after)
            compared += 1
        compare(positions[-1], naive, in_full=True)
    assert compared > 55 * len(seeds)


def compare(position: Position, naive: NaiveGame, in_full: bool) -> None:
    """Compare turn, end, scores, and the legal set of the colour to play or of every colour."""
    assert position.colour == naive.colour
    assert position.scores() == {colour: naive.score(colour) for colour in naive.order}
    for colour in naive.order:
        if in_full or colour == position.colour:
            legal = naive.legal(colour)
            assert legal_points(position, colour) == legal
            assert position.is_blocked(colour) == (not legal)


def advance(naive: NaiveGame, after: Position) -> None:
    placement = after.history[-1].placement
    if placement is None:
        naive.pass_turn()
    else:
        naive.play(frozenset(placement.points))


@pytest.mark.parametrize("seed", range(5))
def test_what_is_refused_is_refused_for_a_reason_and_what_is_legal_for_none(seed: int) -> None:
    """Compare the bit engine with the cell-by-cell explanation on placements legal and illegal."""
    dice = Random(seed)
    for position in list(random_positions(seed))[::7]:
        legal = set(position.legal_ids())
        sample = dice.sample(range(30433), 60) + dice.sample(sorted(legal), min(len(legal), 20))
        if position.is_over:
            continue
        for number in sample:
            assert (number in legal) == (not faults(position, number))


def faults(position: Position, number: int) -> tuple[str, ...]:
    """Return the reasons that the explanation alone finds, whatever the engine says."""
    table = position._game.table
    return tuple(position._faults(table.placement(number), position._number))
