"""Fitting weights to examples: multinomial logistic regression by Adam, one phase after the other."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from games.bots.engines.policy import PHASES
from games.bots.engines.sight import OUTLOOK_WEIGHTS
from games.bots.engines.weights import Weights
from games.bots.training.recipes import CHOICE, SQUARES
from games.bots.training.selfplay import MOST_CHOICES, Example

ROUNDS = 30
BATCH_SIZE = 128
STEP_SIZE = 0.02
#: What a weight costs for being far from 0.
DECAY = 2e-4


class _Examples(NamedTuple):
    """Examples of one phase: by example and placement its row, the wanted likelihood, and what to add to its score.

    That is the logarithm of how many placements it stands for, and next to minus infinity where there is none.
    """

    rows: Any
    wanted: Any
    more: Any

    def some(self, chosen: Any) -> "_Examples":
        return _Examples(self.rows[chosen], self.wanted[chosen], self.more[chosen])


def fit(
    examples: Sequence[Example], start: Weights, seed: int, power: float = SQUARES
) -> tuple[list[list[float]], float]:
    """Return weights that agree best with the attention in the examples, and how well they agree.

    A placement is to be likely in proportion to this power of its share of the attention. 1 leaves a policy as
    undecided as the search was; the higher, the surer it becomes of what the search may only have guessed. By `CHOICE`
    only the largest share counts; equals count alike.

    Those of an outlook and those of the policy that plays games on, which sees less, are fitted each for itself. An
    outlook chooses among all placements, so a row weighs as much as all that it stands for; games are played on among
    those of one or two attach points, so there it weighs as one. The second number is the mean cross-entropy of the
    outlook, in nats, in a tenth of the examples that it did not learn from.
    """
    order = np.random.default_rng(seed)
    learned, losses = [], []
    for phase in range(PHASES):
        mine = _gathered([example for example in examples if example.phase == phase], power)
        row = np.array(start[phase], dtype=np.float64)
        outlook, loss = _fitted(mine, row[:OUTLOOK_WEIGHTS], order)
        # Above 0 becomes 0, so that each weighs as one; where there is no placement it stays next to minus infinity.
        as_one = mine._replace(more=np.minimum(mine.more, 0))
        playing_on, _ = _fitted(as_one, row[OUTLOOK_WEIGHTS:], order)
        learned.append([round(float(weight), 4) for weight in (*outlook, *playing_on)])
        losses += [loss] * (len(mine.rows) // 10)
    return learned, float(np.mean(losses)) if losses else 0.0


def _gathered(examples: Sequence[Example], power: float) -> _Examples:
    rows = np.zeros((len(examples), MOST_CHOICES, OUTLOOK_WEIGHTS), dtype=np.int8)
    wanted = np.zeros((len(examples), MOST_CHOICES), dtype=np.float32)
    more = np.full((len(examples), MOST_CHOICES), -1e9, dtype=np.float32)
    for i, example in enumerate(examples):
        count = len(example.rows)
        rows[i, :count], more[i, :count] = example.rows, np.log(example.stands_for)
        odds = example.shares**power if power < CHOICE else example.shares == example.shares.max()
        wanted[i, :count] = odds / odds.sum()
    return _Examples(rows, wanted, more)


def _fitted(examples: _Examples, weights: Any, order: np.random.Generator) -> tuple[Any, float]:
    """Return weights of as many of the rows' first columns as it is given, and the loss of examples set aside."""
    examples = examples._replace(rows=examples.rows[:, :, : len(weights)])
    count = len(examples.rows)
    if not count:
        return weights, 0.0
    aside = max(1, count // 10)
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    step = 0
    for _ in range(ROUNDS):
        shuffled = order.permutation(np.arange(aside, count))
        for at in range(0, len(shuffled), BATCH_SIZE):
            slope = _slope(examples.some(shuffled[at : at + BATCH_SIZE]), weights) + DECAY * weights
            step += 1
            first = 0.9 * first + 0.1 * slope
            second = 0.999 * second + 0.001 * slope**2
            weights = weights - STEP_SIZE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return weights, _loss(examples.some(slice(aside)), weights)


def _likelihoods(examples: _Examples, rows: Any, weights: Any) -> Any:
    scores = rows @ weights.astype(np.float32) + examples.more
    scores -= scores.max(axis=1, keepdims=True)
    odds = np.exp(scores)
    return odds / odds.sum(axis=1, keepdims=True)


def _slope(examples: _Examples, weights: Any) -> Any:
    rows = examples.rows.astype(np.float32)
    off = _likelihoods(examples, rows, weights) - examples.wanted
    return off.reshape(-1) @ rows.reshape(-1, len(weights)) / len(off)


def _loss(examples: _Examples, weights: Any) -> float:
    told = np.log(_likelihoods(examples, examples.rows.astype(np.float32), weights) + 1e-12)
    return float(-(examples.wanted * told).sum(axis=1).mean())
