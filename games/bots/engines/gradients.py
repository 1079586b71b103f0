"""The policy gradient of a network, summed while it plays games against itself.

The compiled half of `games.learning.selfplay`. It is kept with the engines because the cache of compiled code is keyed
by the state of these files.
"""

import math
from typing import NamedTuple

from games.bots.engines.batches import LISTED, Games, state_in
from games.bots.engines.compiled import Numbers, compiled
from games.bots.engines.policy import CLASSES, PHASES, ROLES, STATES, phase_of
from games.bots.engines.scorer import LEAK, OF_PHASES, OF_PIECES, OF_RINGS, OF_ROLE, Scorer, score_by_network
from games.bots.engines.state import COLOURS, OPEN_TO, Rules, SearchState
from games.bots.engines.tables import Tables

#: Features of the baseline in each phase: a constant, the lead in placed cells, the lead in attach points.
BASELINE_FEATURES = 3
BASELINE = PHASES * BASELINE_FEATURES

#: Placements that are less likely are left out of the gradient: there are many, and they weigh next to nothing.
UNLIKELY = 1e-4


class Workspace(NamedTuple):
    """Arrays to work in: for the placements of one turn, and for a gradient."""

    sums: Numbers
    scores: Numbers
    gradient: Numbers
    seen: Numbers


class GradientSums(NamedTuple):
    """What is summed up of each game and seat, a row each.

    `plain` are the gradients of the log-probabilities of what was chosen, `based` the same times baseline and surprise;
    `seen` and `guessed` are for the baseline; `about` holds the number of choices and the sum of their entropies.
    """

    plain: Numbers
    based: Numbers
    seen: Numbers
    guessed: Numbers
    about: Numbers


@compiled
def choose_actions(
    tables: Tables,
    rules: Rules,
    games: Games,
    colours: Numbers,
    seats: Numbers,
    is_over: Numbers,
    scorer: Scorer,
    baseline: Numbers,
    surprise: float,
    rng_states: Numbers,
    workspace: Workspace,
    tally: GradientSums,
    actions: Numbers,
) -> None:
    """Choose in every game by the softmax of the scores, and add what the choice says to its seat's tally.

    Games that are over go on with whatever comes first: the batch has begun them again, and they do not count.
    """
    seen = workspace.seen[len(workspace.seen) - BASELINE :]
    for game in range(len(actions)):
        found, count = games.lists[game], games.large[game, LISTED]
        if is_over[game]:
            actions[game] = found[0]
            continue
        state, colour, seat = state_in(rules, games.small[game], games.large[game]), colours[game], seats[game]
        best = score_by_network(tables, rules, state, scorer, colour, found, count, workspace.sums, workspace.scores)
        entropy = softmax(workspace.scores, count, best)
        rng_states[game] = rng_states[game] * 48271 % 2147483647
        chosen = sampled_index(workspace.scores, count, rng_states[game] / 2147483647.0)
        actions[game] = found[chosen]
        likely = math.log(max(workspace.scores[chosen], 1e-12))
        log_gradient(tables, rules, state, scorer, colour, found, count, chosen, workspace)
        baseline_features(rules, state, scorer, colour, seen)
        guess = 0.0
        for k in range(BASELINE):
            guess += baseline[k] * seen[k]
        base = guess + surprise * likely
        plain, based, gradient = tally.plain[game, seat], tally.based[game, seat], workspace.gradient
        for k in range(len(gradient)):
            plain[k] += gradient[k]
            based[k] += base * gradient[k]
        for k in range(BASELINE):
            tally.seen[game, seat, k] += seen[k]
            tally.guessed[game, seat, k] += guess * seen[k]
        tally.about[game, seat, 0] += 1.0
        tally.about[game, seat, 1] += entropy


@compiled
def softmax(scores: Numbers, count: int, best: float) -> float:
    """Turn scores into probabilities by their softmax; return the entropy, in nats."""
    total, mean = 0.0, 0.0
    for i in range(count):
        below = scores[i] - best
        scores[i] = math.exp(below)
        total += scores[i]
        mean += scores[i] * below
    for i in range(count):
        scores[i] /= total
    return math.log(total) - mean / total


@compiled
def sampled_index(probabilities: Numbers, count: int, drawn: float) -> int:
    """Return the index at which the sum of the probabilities passes a number from 0 to 1."""
    for i in range(count):
        drawn -= probabilities[i]
        if drawn < 0.0:
            return i
    return count - 1


@compiled
def log_gradient(
    tables: Tables,
    rules: Rules,
    state: SearchState,
    scorer: Scorer,
    colour: int,
    found: Numbers,
    count: int,
    chosen: int,
    workspace: Workspace,
) -> None:
    """Write to `gradient` the gradient of the logarithm of what was chosen, by the weights: vectors, then heads.

    `sums` holds what the network summed up for each placement, `scores` the probabilities.
    """
    width = len(scorer.heads) // PHASES
    phase = phase_of(rules, state, colour)
    by_phase, head, of_heads = (OF_PHASES + phase) * width, phase * width, len(scorer.vectors)
    gradient, sums, seen = workspace.gradient, workspace.sums, workspace.seen
    for k in range(len(gradient)):
        gradient[k] = 0.0
    for k in range(ROLES * len(state.cells) * width):
        seen[k] = 0.0
    for i in range(count):
        pull = (1.0 if i == chosen else 0.0) - workspace.scores[i]
        if -UNLIKELY < pull < UNLIKELY:
            continue
        at, by_piece = i * width, (OF_PIECES + tables.piece[found[i]]) * width
        for k in range(width):
            term = sums[at + k]
            leak = 1.0 if term > 0.0 else LEAK
            gradient[of_heads + head + k] += pull * leak * term
            # From here on the gradient by the sum itself.
            sums[at + k] = pull * leak * scorer.heads[head + k]
            gradient[by_phase + k] += sums[at + k]
            gradient[by_piece + k] += sums[at + k]
        add_to_cells(tables, found[i], sums[at : at + width], len(state.cells), seen)
    add_to_vectors(state, scorer, colour, seen, gradient)


@compiled
def add_to_cells(tables: Tables, placement: int, gradient: Numbers, room: int, seen: Numbers) -> None:
    """Add the gradient by a placement's sum to that by each of its cells, in its role, on a board of `room` cells."""
    edges, corners = tables.edges_at[placement], tables.corners_at[placement]
    width = len(gradient)
    for n in range(tables.cells_at[placement], tables.cells_at[placement + 1]):
        role = 0 if n < edges else (1 if n < corners else 2)
        cell = (role * room + tables.near[n]) * width
        for k in range(width):
            seen[cell + k] += gradient[k]


@compiled
def add_to_vectors(state: SearchState, scorer: Scorer, colour: int, seen: Numbers, gradient: Numbers) -> None:
    """Add the gradient by every cell in every role to those by the vectors that it is the sum of."""
    width = len(scorer.heads) // PHASES
    at = 0
    for role in range(ROLES):
        for cell in range(len(state.cells)):
            kind = scorer.classes[colour * STATES + (state.cells[cell] & OPEN_TO)]
            by_class = (role * OF_ROLE + kind) * width
            by_view = (role * OF_ROLE + CLASSES + scorer.outlook.views[cell]) * width
            by_ring = (OF_RINGS + scorer.rings[cell]) * width
            for k in range(width):
                gradient[by_class + k] += seen[at + k]
                gradient[by_view + k] += seen[at + k]
                if role == 0:
                    gradient[by_ring + k] += seen[at + k]
            at += width


@compiled
def baseline_features(rules: Rules, state: SearchState, scorer: Scorer, colour: int, seen: Numbers) -> None:
    """Write the features of the baseline: 1 at the place of the phase, and how far the colour leads its rivals."""
    for k in range(BASELINE):
        seen[k] = 0.0
    rivals = scorer.outlook.rivals[colour]
    others, left, points = 0, 0, 0
    for rival in range(COLOURS):
        if rivals >> rival & 1:
            others += 1
            left += state.left[rival]
            points += state.attach_count[rival]
    at = BASELINE_FEATURES * phase_of(rules, state, colour)
    seen[at] = 1.0
    if others:
        seen[at + 1] = (left / others - state.left[colour]) / 10.0
        seen[at + 2] = (state.attach_count[colour] - points / others) / 10.0
