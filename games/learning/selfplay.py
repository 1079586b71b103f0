"""Self-play of a network, and the policy gradient that its games give.

The gradient is that of the expected reward (REINFORCE with a baseline, Williams 1992), summed while the games are
played, so nothing is kept of them: for each game and seat the gradients of the logarithms of what was chosen, once as
they are and once times the baseline of the moment; the end of the game says by what to multiply the first.
"""

import threading
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.bots.engines.arguments import InvalidCallError, real_number, whole_number
from games.bots.engines.gradients import BASELINE, GradientSums, Workspace, choose_actions
from games.bots.engines.policy import ROLES
from games.bots.engines.scorer import scorer_of, set_weights, weight_count
from games.bots.learned import WIDEST
from games.learning.batch import Batch, checked_seeds

Reals = NDArray[np.float64]

_MOST_SURPRISE = 1e6

#: Points of margin that count as much as all of a win: half the reward is by rank, half by margin.
_POINTS = 20.0


class Gradient(NamedTuple):
    """The gradients of some games: the direction that raises rewards, and the one that improves the baseline.

    `turns` is the number of choices, `entropy` their mean entropy in nats, `share` the first seat's share of the wins.
    """

    weights: Reals
    baseline: Reals
    turns: int
    entropy: float
    share: float


class SelfPlay:
    """A number of games of one variant that a network plays against itself."""

    def __init__(self, variant: str, games: int, width: int) -> None:
        """Allocate the arrays.

        Raises:
            UnknownVariant: the rules know none of that name.
            InvalidCallError: no such number of games, or no network is of that width.

        """
        width = whole_number("The width of a network", width, 1, WIDEST)
        self.batch = Batch(variant, games, has_planes=False)
        games, engine = self.batch.games, self.batch.engine_arrays
        self._lock = threading.Lock()
        self.size = weight_count(width)
        self._scorer = scorer_of(self.batch.start, engine.rules, [0.0] * self.size, width)
        cells = len(self._scorer.rings)
        self._workspace = Workspace(
            np.zeros(self.batch.actions * width),
            np.zeros(self.batch.actions),
            np.zeros(self.size),
            np.zeros(ROLES * cells * width + BASELINE),
        )
        rows = (games, self.batch.rewards.shape[1])
        self._tally = GradientSums(
            np.zeros((*rows, self.size)),
            np.zeros((*rows, self.size)),
            np.zeros((*rows, BASELINE)),
            np.zeros((*rows, BASELINE)),
            np.zeros((*rows, 2)),
        )

    def play(self, weights: Reals, baseline: Reals, seeds: Sequence[int], surprise: float) -> Gradient:
        """Play every game to its end, choosing by the softmax of the scores, and return what that teaches.

        The same weights and seeds play the same games. `surprise` weighs the entropy bonus, which keeps the network
        from being sure too soon.

        Raises:
            InvalidCallError: the weights, the baseline or the seeds are of another number, or no numbers.

        """
        weights, baseline = _row("weights", weights, self.size), _row("numbers of a baseline", baseline, BASELINE)
        given = checked_seeds(seeds, self.batch.games)
        surprise = real_number("What surprise is worth", surprise, -_MOST_SURPRISE, _MOST_SURPRISE)
        with self._lock:
            return self._played(weights, baseline, given, surprise)

    def _played(self, weights: Reals, baseline: Reals, seeds: Sequence[int], surprise: float) -> Gradient:
        batch, tally, engine = self.batch, self._tally, self.batch.engine_arrays
        for each in tally:
            each[:] = 0
        set_weights(self._scorer, weights.tolist())
        batch.reset()
        luck = np.array([1 + (seed * 2654435761 + 97) % 2147483646 for seed in seeds], np.int64)
        actions = np.zeros(batch.games, np.int64)
        is_over = np.zeros(batch.games, np.bool_)
        ranks, scores = np.zeros(batch.rewards.shape), np.zeros_like(batch.scores)
        while not is_over.all():
            choose_actions(
                engine.tables, engine.rules, engine.games, batch.colours, batch.seats, is_over,
                self._scorer, baseline, surprise, luck, self._workspace, tally, actions,
            )  # fmt: skip
            batch.step(actions)
            ended = batch.ended & ~is_over
            ranks[ended], scores[ended] = batch.rewards[ended], batch.scores[ended]
            is_over |= ended
        return self._gradient(ranks, scores)

    def _gradient(self, ranks: Reals, scores: NDArray[np.int64]) -> Gradient:
        seats = scores.shape[1]
        ahead = scores - (scores.sum(1, keepdims=True) - scores) / (seats - 1)
        rewards = ranks / 2 + ahead / (2 * _POINTS)
        tally, games = self._tally, len(scores)
        turns = int(tally.about[..., 0].sum())
        return Gradient(
            np.tensordot(rewards, tally.plain, 2) / games - tally.based.sum((0, 1)) / games,
            np.tensordot(rewards, tally.seen, 2) / games - tally.guessed.sum((0, 1)) / games,
            turns,
            float(tally.about[..., 1].sum()) / turns,
            float((1 + ranks[:, 0]).mean() / 2),
        )


def _row(what: str, given: object, length: int) -> Reals:
    """Return the numbers as an array of doubles."""
    if not isinstance(given, np.ndarray) or given.dtype.kind not in "iuf" or given.shape != (length,):
        raise InvalidCallError(f"Give {length} {what} as an array in one row.")
    return np.ascontiguousarray(given, np.float64)
