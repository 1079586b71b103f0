"""A batch beside the rules: the same games, ply by ply."""

import random
from collections.abc import Sequence

import numpy as np

from games.learning.batch import Batch
from games.learning.blockyou_v0 import with_passes
from games.rules import Position


def seen_by(position: Position, colour: str) -> tuple[bytes, list[list[int]]]:
    """Return planes and stocks as the rules have them."""
    order = position.colours_in_play
    order = order[order.index(colour) :] + order[: order.index(colour)]
    plane = position.variant.grid.plane
    cells = b"".join(plane(position.cell_mask(each)) for each in order)
    points = b"".join(plane(position.attach_mask(each)) for each in order)
    return cells + points, [list(position.stock_counts(each)) for each in order]


def check_game(batch: Batch, game: int, position: Position) -> None:
    """Compare what a batch shows of a game with a position."""
    variant, colour = position.variant, position.colour or ""
    assert variant.colours[batch.colours[game]] == colour
    assert batch.seats[game] == position.seat
    assert tuple(np.flatnonzero(batch.masks[game])) == position.legal_ids()
    planes, stocks = seen_by(position, colour)
    assert batch.planes[game].tobytes() == planes
    assert batch.stocks[game].tolist() == stocks


def play_beside(batch: Batch, finished: int, rng: random.Random) -> None:
    """Play random games in a batch and by the rules at once, until so many have ended, and compare every position."""
    positions: list[Position] = [batch.start] * batch.games
    while finished > 0:
        for game, position in enumerate(positions):
            check_game(batch, game, position)
        actions = [drawn(position, rng) for position in positions]
        batch.step(np.array(actions))
        for game, (position, action) in enumerate(zip(positions, actions, strict=True)):
            after = with_passes(position.play_id(action))
            assert batch.ended[game] == after.is_over
            if after.is_over:
                assert tuple(batch.scores[game]) == after.seat_scores()
                assert batch.rewards[game].tolist() == rank_rewards(after.places())
                finished -= 1
            positions[game] = batch.start if after.is_over else after


def drawn(position: Position, rng: random.Random) -> int:
    action = position.pick_legal_id(rng.random())
    assert action is not None
    return action


def rank_rewards(places: Sequence[int]) -> list[float]:
    """Return what seats get by their places: those behind them less those before them, of the others."""
    ahead = [sum(other > mine for other in places) - sum(other < mine for other in places) for mine in places]
    return [float(np.float32(each / (len(places) - 1))) for each in ahead]
