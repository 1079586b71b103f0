"""The engines choose by what they promise. What holds for all of them is in test_contract."""

import random
from collections.abc import Iterator

import pytest

from games.bots.engines.greedy import GreedyEngine
from games.bots.engines.protocol import Engine
from games.bots.engines.randomly import RandomEngine
from games.rules import Placement, Position


def positions(variant: str, seed: int) -> Iterator[Position]:
    """Yield every position of a game by chance in which somebody can place."""
    rng, position = random.Random(seed), Position.start(variant)
    while not position.is_over:
        legal = position.legal_placements()
        if legal:
            yield position
        position = position.play(rng.choice(legal)) if legal else position.pass_turn()


@pytest.mark.parametrize("engine", [RandomEngine(), GreedyEngine()])
def test_another_seed_chooses_otherwise_sooner_or_later(engine: Engine) -> None:
    start = Position.start("blockyou-4")
    assert len({str(engine.think(start, seed=seed, number=1).placement) for seed in range(20)}) > 1


def test_random_chooses_every_placement_about_equally_often() -> None:
    start = Position.start("blockyou-4")
    chosen = [str(RandomEngine().think(start, seed=seed, number=1).placement) for seed in range(5800)]
    counts = [chosen.count(str(placement)) for placement in start.legal_placements()]
    assert len(counts) == 58
    assert 60 < min(counts) <= max(counts) < 145


def gain(position: Position, placement: Placement) -> int:
    """Count new attach points the slow way: by playing, and asking before and after."""
    colour = position.colour or ""
    before = set(position.attach_points(colour))
    return len(set(position.play(placement).attach_points(colour)) - before)


@pytest.mark.parametrize("variant", ["blockyou-4", "classic-3", "junior", "trigon-2", "codingame-3"])
def test_greedy_takes_the_largest_piece_with_the_most_new_corners(variant: str) -> None:
    for number, position in enumerate(list(positions(variant, 6))[10::9], start=1):
        chosen = GreedyEngine().think(position, seed=1, number=number).placement
        legal = position.legal_placements()
        largest = [each for each in legal if len(each.cells) == max(len(other.cells) for other in legal)]
        assert chosen in largest
        assert gain(position, chosen) == max(gain(position, each) for each in largest)
