"""Fitting weights to lessons: multinomial logistic regression by Adam, one phase after the other."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from games.bots.engines.policy import PHASES
from games.bots.engines.sight import OUTLOOK_WEIGHTS
from games.bots.engines.weights import Weights
from games.bots.training.recipes import CHOICE, SQUARES
from games.bots.training.selfplay import MOST_CHOICES, Lesson

ROUNDS = 30
BATCH = 128
STEP = 0.02
#: What a weight costs for being far from 0.
DECAY = 2e-4


class _Lessons(NamedTuple):
    """Lessons of one phase: by lesson and placement its row, how likely it is to become, and what to add to its score.

    That is the logarithm of how many placements it stands for, and next to minus infinity where there is none.
    """

    rows: Any
    wanted: Any
    more: Any

    def some(self, chosen: Any) -> "_Lessons":
        return _Lessons(self.rows[chosen], self.wanted[chosen], self.more[chosen])


def fit(
    lessons: Sequence[Lesson], start: Weights, seed: int, power: float = SQUARES
) -> tuple[list[list[float]], float]:
    """Return weights that agree best with the attention in the lessons, and how much they tell of it.

    A placement is to be likely in proportion to this power of its share of the attention. 1 leaves a policy as
    undecided as the search was; the higher, the surer it becomes of what the search may only have guessed. By `CHOICE`
    only the largest share counts; equals count alike.

    Those of an outlook and those of the policy that plays games on, which sees less, are fitted each for itself. An
    outlook chooses among all placements, so a row weighs as much as all that it stands for; games are played on among
    those of one or two attach points, so there it weighs as one. The second number is the mean cross-entropy of the
    outlook, in nats, in a tenth of the lessons that it did not learn from.
    """
    order = np.random.default_rng(seed)
    learned, losses = [], []
    for phase in range(PHASES):
        mine = _gathered([lesson for lesson in lessons if lesson.phase == phase], power)
        row = np.array(start[phase], dtype=np.float64)
        outlook, loss = _fitted(mine, row[:OUTLOOK_WEIGHTS], order)
        # Above 0 becomes 0, so that each weighs as one; where there is no placement it stays next to minus infinity.
        as_one = mine._replace(more=np.minimum(mine.more, 0))
        playing_on, _ = _fitted(as_one, row[OUTLOOK_WEIGHTS:], order)
        learned.append([round(float(weight), 4) for weight in (*outlook, *playing_on)])
        losses += [loss] * (len(mine.rows) // 10)
    return learned, float(np.mean(losses)) if losses else 0.0


def _gathered(lessons: Sequence[Lesson], power: float) -> _Lessons:
    rows = np.zeros((len(lessons), MOST_CHOICES, OUTLOOK_WEIGHTS), dtype=np.int8)
    wanted = np.zeros((len(lessons), MOST_CHOICES), dtype=np.float32)
    more = np.full((len(lessons), MOST_CHOICES), -1e9, dtype=np.float32)
    for i, lesson in enumerate(lessons):
        count = len(lesson.rows)
        rows[i, :count], more[i, :count] = lesson.rows, np.log(lesson.stands_for)
        odds = lesson.shares**power if power < CHOICE else lesson.shares == lesson.shares.max()
        wanted[i, :count] = odds / odds.sum()
    return _Lessons(rows, wanted, more)


def _fitted(lessons: _Lessons, weights: Any, order: np.random.Generator) -> tuple[Any, float]:
    """Return weights of as many of the rows' first columns as it is given, and the loss of lessons set aside."""
    lessons = lessons._replace(rows=lessons.rows[:, :, : len(weights)])
    count = len(lessons.rows)
    if not count:
        return weights, 0.0
    aside = max(1, count // 10)
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    step = 0
    for _ in range(ROUNDS):
        shuffled = order.permutation(np.arange(aside, count))
        for at in range(0, len(shuffled), BATCH):
            slope = _slope(lessons.some(shuffled[at : at + BATCH]), weights) + DECAY * weights
            step += 1
            first = 0.9 * first + 0.1 * slope
            second = 0.999 * second + 0.001 * slope**2
            weights = weights - STEP * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return weights, _loss(lessons.some(slice(aside)), weights)


def _likelihoods(lessons: _Lessons, rows: Any, weights: Any) -> Any:
    scores = rows @ weights.astype(np.float32) + lessons.more
    scores -= scores.max(axis=1, keepdims=True)
    odds = np.exp(scores)
    return odds / odds.sum(axis=1, keepdims=True)


def _slope(lessons: _Lessons, weights: Any) -> Any:
    rows = lessons.rows.astype(np.float32)
    off = _likelihoods(lessons, rows, weights) - lessons.wanted
    return off.reshape(-1) @ rows.reshape(-1, len(weights)) / len(off)


def _loss(lessons: _Lessons, weights: Any) -> float:
    told = np.log(_likelihoods(lessons, lessons.rows.astype(np.float32), weights) + 1e-12)
    return float(-(lessons.wanted * told).sum(axis=1).mean())
