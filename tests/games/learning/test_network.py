"""The network beside plain arithmetic: its scores, and the gradient by which it learns."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from games.bots.engines.compiled import fractions
from games.bots.engines.gradients import BASELINE, Workspace, log_gradient, softmax
from games.bots.engines.policy import PHASES
from games.bots.engines.scorer import score_by_network, weight_count
from tests.games.learning.plain_network import PlainNetwork, after

WIDTH = 3
#: The beginning, the middle and the end of a colour's game, of either colour.
GAMES = [0, 1, 13, 26]


def drawn_weights(seed: int) -> NDArray[np.float64]:
    return np.random.default_rng(seed).normal(0.0, 0.3, weight_count(WIDTH))


def gradient(plain: PlainNetwork, weights: NDArray[np.float64], chosen: int) -> NDArray[np.float64]:
    """Return the gradient of the logarithm of what was chosen, as the learner has it."""
    state, scorer, count = plain.state, plain.scorer(weights), plain.count
    workspace = Workspace(
        fractions(count * WIDTH), fractions(count), fractions(len(weights)), fractions(len(scorer.worth) + BASELINE)
    )
    best = score_by_network(
        plain.tables, plain.rules, state, scorer, plain.number, plain.found, count, workspace.sums, workspace.scores
    )
    softmax(workspace.scores, count, best)
    log_gradient(plain.tables, plain.rules, state, scorer, plain.number, plain.found, count, chosen, workspace)
    return np.array(workspace.gradient)


@pytest.mark.parametrize("moves", GAMES)
@pytest.mark.slow
def test_the_network_scores_placements_as_plain_arithmetic_does(moves: int) -> None:
    plain, weights = PlainNetwork(after("duo", moves), WIDTH), drawn_weights(1)
    sums, scores = fractions(plain.count * WIDTH), fractions(plain.count)
    best = score_by_network(
        plain.tables, plain.rules, plain.state, plain.scorer(weights), plain.number, plain.found, plain.count,
        sums, scores,
    )  # fmt: skip
    assert list(scores) == pytest.approx(list(plain.scores(weights)))
    assert best == max(scores)


@pytest.mark.slow
def test_every_phase_of_a_game_is_looked_at() -> None:
    assert {PlainNetwork(after("duo", moves), WIDTH).phase for moves in GAMES} == {*range(PHASES)}


@pytest.mark.parametrize("moves", GAMES[1:])
@pytest.mark.slow
def test_the_gradient_is_what_a_small_change_of_each_weight_does(moves: int) -> None:
    plain, weights = PlainNetwork(after("duo", moves), WIDTH), drawn_weights(2)
    chosen = int(plain.scores(weights).argmax())
    found = gradient(plain, weights, chosen)
    rng, small = np.random.default_rng(3), 1e-5
    touched = np.flatnonzero(found)
    for weight in rng.choice(touched, 60, replace=False):
        step = np.zeros(len(weights))
        step[weight] = small
        there, back = (plain.log_odds(weights + way * step, chosen) for way in (1, -1))
        # Placements of odds below 1e-4 are left out of the gradient.
        assert found[weight] == pytest.approx((there - back) / (2 * small), abs=5e-3)
    untouched = sorted({*range(len(weights))} - {*touched.tolist()})
    step = np.zeros(len(weights))
    step[untouched] = rng.normal(size=len(untouched))
    assert plain.log_odds(weights + small * step, chosen) == pytest.approx(plain.log_odds(weights, chosen), abs=1e-6)


def test_the_gradient_is_the_one_that_torch_finds_where_torch_is() -> None:
    torch: Any = pytest.importorskip("torch")
    for moves in GAMES:
        plain, weights = PlainNetwork(after("duo", moves), WIDTH), drawn_weights(4)
        chosen = plain.count // 2
        tensor = torch.tensor(weights, requires_grad=True)
        vectors = tensor[: -PHASES * WIDTH].reshape(-1, WIDTH)
        head = tensor[-PHASES * WIDTH :].reshape(PHASES, WIDTH)[plain.phase]
        sums = torch.stack([vectors[rows].sum(0) for rows in plain.rows])
        probabilities = torch.log_softmax(torch.nn.functional.leaky_relu(sums, 0.125) @ head, 0)
        probabilities[chosen].backward()
        assert gradient(plain, weights, chosen) == pytest.approx(tensor.grad.numpy(), abs=5e-3)
