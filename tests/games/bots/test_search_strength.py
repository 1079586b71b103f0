"""Thinking pays: matches from fixed seeds, in which who thinks more wins clearly. What comes of them is repeatable."""

import pytest

from games.arena.plan import Match
from games.arena.run import run
from games.arena.standings import standing

pytestmark = pytest.mark.proof

POLICY, GREEDY = "sage-3", "greedy"


def search(simulations: int) -> str:
    return f"games.bots.engines.search:SearchEngine,simulations={simulations}"


def score(variant: str, player: str, *others: str, games: int) -> float:
    """Return the share of the points that a player takes of a match, each seat having been its own equally often."""
    return standing(run(Match(variant, (player, *others), games=games)), 0).score.value


# Measured: 0.90, 1.00 and 1.00. Where placements are told what came of them the wrong way round: at most 0.53, 0, 0.25.
@pytest.mark.parametrize(
    ("variant", "simulations", "games", "at_least"),
    [("duo", 100, 20, 0.7), ("blockyou-2", 45, 4, 0.8), ("codingame-2", 100, 12, 0.8)],
)
def test_a_search_beats_the_policy_that_guides_it(variant: str, simulations: int, games: int, at_least: float) -> None:
    assert score(variant, search(simulations), POLICY, games=games) >= at_least


# Measured: 0.92 and 0.60; told the wrong way round, at most 0.25 and 0.08.
@pytest.mark.parametrize(
    ("variant", "seats", "games", "at_least"), [("codingame-3", 3, 12, 0.65), ("codingame-4:10:42", 4, 20, 0.42)]
)
def test_one_search_among_policies_takes_clearly_more_than_its_share(
    variant: str, seats: int, games: int, at_least: float
) -> None:
    assert at_least > 1.5 / seats
    assert score(variant, search(100), *[POLICY] * (seats - 1), games=games) >= at_least


# Measured: 0.92; where all placements are alike to the policy, 0.08.
def test_the_learned_weights_beat_the_greedy_engine() -> None:
    assert score("duo", POLICY, GREEDY, games=12) >= 0.75
