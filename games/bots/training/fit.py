"""Fitting weights to lessons: multinomial logistic regression by Adam, one phase after the other."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from games.bots.engines.policy import PHASES
from games.bots.engines.sight import OUTLOOK_WEIGHTS
from games.bots.engines.weights import Weights
from games.bots.training.selfplay import MOST_CHOICES, Lesson

ROUNDS = 30
BATCH = 128
STEP = 0.02
#: What a weight costs for being far from 0.
DECAY = 2e-4


def fit(lessons: Sequence[Lesson], start: Weights, seed: int) -> tuple[list[list[float]], float]:
    """Return weights that make the choices in the lessons likeliest, and how much they tell of them.

    The second number is the mean cross-entropy of a tenth of the lessons that were not learned from, in nats.
    """
    order = np.random.default_rng(seed)
    learned, losses = [], []
    for phase in range(PHASES):
        mine = [lesson for lesson in lessons if lesson.phase == phase]
        weights, loss = _fit_phase(mine, np.array(start[phase], dtype=np.float64), order)
        learned.append([round(float(weight), 4) for weight in weights])
        losses += [loss] * (len(mine) // 10)
    return learned, float(np.mean(losses)) if losses else 0.0


def _fit_phase(lessons: Sequence[Lesson], weights: Any, order: np.random.Generator) -> tuple[Any, float]:
    rows = np.zeros((len(lessons), MOST_CHOICES, OUTLOOK_WEIGHTS), dtype=np.int8)
    there = np.zeros((len(lessons), MOST_CHOICES), dtype=bool)
    for i, lesson in enumerate(lessons):
        count = min(len(lesson.rows), MOST_CHOICES)
        rows[i, :count], there[i, :count] = lesson.rows[:count], True
    kept = max(1, len(lessons) // 10)
    first, second = np.zeros(OUTLOOK_WEIGHTS), np.zeros(OUTLOOK_WEIGHTS)
    step = 0
    for _ in range(ROUNDS):
        shuffled = order.permutation(np.arange(kept, len(lessons)))
        for at in range(0, len(shuffled), BATCH):
            batch = shuffled[at : at + BATCH]
            slope = _slope(rows[batch], there[batch], weights) + DECAY * weights
            step += 1
            first = 0.9 * first + 0.1 * slope
            second = 0.999 * second + 0.001 * slope**2
            weights = weights - STEP * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return weights, _loss(rows[:kept], there[:kept], weights)


def _likelihoods(rows: Any, there: Any, weights: Any) -> Any:
    scores = np.where(there, rows.astype(np.float32) @ weights.astype(np.float32), -1e9)
    scores -= scores.max(axis=1, keepdims=True)
    odds = np.exp(scores)
    return odds / odds.sum(axis=1, keepdims=True)


def _slope(rows: Any, there: Any, weights: Any) -> Any:
    off = _likelihoods(rows, there, weights)
    off[:, 0] -= 1
    return np.einsum("nk,nkf->f", off, rows.astype(np.float32)) / len(rows)


def _loss(rows: Any, there: Any, weights: Any) -> float:
    return float(-np.log(_likelihoods(rows, there, weights)[:, 0] + 1e-12).mean())
