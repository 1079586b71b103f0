"""Games of an engine against itself, kept as what it could choose from, and what it made of that."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from games.bots.engines.search import SearchEngine
from games.bots.engines.weights import Weights
from games.bots.training.features import choices
from games.rules import Position

#: Placements that an example keeps at most: those that were looked at, and others drawn by chance.
MOST_CHOICES = 160

#: The first placements of each colour, which are drawn by visits, so that no two games are alike.
OPENING = 3


@dataclass(frozen=True)
class Example:
    """One position: the rows of its placements, and the share of the attention that each had; the chosen one first.

    `stands_for` is how many placements each row stands for: 1, but more for those drawn from many by chance.
    """

    phase: int
    rows: Any
    shares: Any
    stands_for: Any


def play_game(variant: str, weights: Weights, simulations: int, seed: int) -> Iterator[Example]:
    """Yield an example for every position of one game in which there was a choice."""
    luck = random.Random(seed)
    # It does not stop early: the shares are to show what all the simulations did.
    engine = SearchEngine(simulations, weights=weights, told=MOST_CHOICES, stops_early=False, solves_endings=False)
    position = Position.start(variant)
    while not position.is_over:
        if not position.has_legal():
            position = position.pass_turn()
            continue
        answer = engine.think(position, seed=seed, number=position.move_count + 1)
        shares = {each.placement.id or 0: each.share for each in answer.candidates}
        if len(shares) > 1:
            yield _example(position, shares, luck)
        is_opening = position.move_count < OPENING * len(position.colours_in_play)
        chosen = luck.choices([*shares], [*shares.values()])[0] if is_opening else answer.candidates[0].placement.id
        position = position.play_id(chosen or 0)


def _example(position: Position, attention: Mapping[int, float], luck: random.Random) -> Example:
    """Return the example of a position, given the search's shares of attention, the largest first."""
    seen = choices(position)
    index = {int(number): i for i, number in enumerate(seen.ids)}
    looked = [index[number] for number in attention]
    others = sorted({*index.values()} - {*looked})
    drawn = luck.sample(others, min(len(others), MOST_CHOICES - len(looked)))
    shares, stands_for = np.zeros(len(looked) + len(drawn)), np.ones(len(looked) + len(drawn))
    shares[: len(looked)] = [*attention.values()]
    stands_for[len(looked) :] = len(others) / max(1, len(drawn))
    return Example(seen.phase, seen.rows[[*looked, *drawn]], shares, stands_for)
