"""How the weights of a network would have to change for its choices to be likelier, summed while it plays.

The compiled half of `games.learning.selfplay`. It stands with the engines because their compiled code is kept by the
state of these files.
"""

import math
from typing import NamedTuple

from games.bots.engines.compiled import Numbers, compiled
from games.bots.engines.many import LISTED, Many, state_in
from games.bots.engines.policy import CLASSES, PHASES, ROLES, STATES, phase_of
from games.bots.engines.scorer import LEAK, OF_PHASES, OF_PIECES, OF_RINGS, OF_ROLE, Scorer, score_by_network
from games.bots.engines.state import COLOURS, OPEN_TO, Rules, SearchState
from games.bots.engines.tables import Tables

#: What the baseline looks at in each phase: nothing, the cells placed more than others, the attach points more.
GLANCES = 3
BASELINE = PHASES * GLANCES

#: Placements that are less likely are left out of the gradient: there are many, and they weigh next to nothing.
UNLIKELY = 1e-4


class Paper(NamedTuple):
    """Room to count on: for the placements of one turn, and for a gradient."""

    sums: Numbers
    scores: Numbers
    slopes: Numbers
    seen: Numbers


class Sums(NamedTuple):
    """What is summed up of each game and seat, a row each.

    `plain` are the gradients of the logarithms of what was chosen, `based` the same times baseline and surprise; `seen`
    and `guessed` are for the baseline; `about` holds the number of choices and the sum of their entropies.
    """

    plain: Numbers
    based: Numbers
    seen: Numbers
    guessed: Numbers
    about: Numbers


@compiled
def choose_in_games(
    tables: Tables,
    rules: Rules,
    many: Many,
    colours: Numbers,
    seats: Numbers,
    is_over: Numbers,
    scorer: Scorer,
    baseline: Numbers,
    surprise: float,
    luck: Numbers,
    paper: Paper,
    tally: Sums,
    actions: Numbers,
) -> None:
    """Choose in every game by the softmax of the scores, and add what the choice says to its seat's tally.

    Games that are over go on with whatever comes first: the batch has begun them again, and they do not count.
    """
    seen = paper.seen[len(paper.seen) - BASELINE :]
    for game in range(len(actions)):
        found, count = many.lists[game], many.large[game, LISTED]
        if is_over[game]:
            actions[game] = found[0]
            continue
        state, colour, seat = state_in(rules, many.small[game], many.large[game]), colours[game], seats[game]
        best = score_by_network(tables, rules, state, scorer, colour, found, count, paper.sums, paper.scores)
        entropy = odds_of(paper.scores, count, best)
        luck[game] = luck[game] * 48271 % 2147483647
        chosen = drawn_by(paper.scores, count, luck[game] / 2147483647.0)
        actions[game] = found[chosen]
        likely = math.log(max(paper.scores[chosen], 1e-12))
        slope_of(tables, rules, state, scorer, colour, found, count, chosen, paper)
        glance(rules, state, scorer, colour, seen)
        guess = 0.0
        for k in range(BASELINE):
            guess += baseline[k] * seen[k]
        base = guess + surprise * likely
        plain, based, slopes = tally.plain[game, seat], tally.based[game, seat], paper.slopes
        for k in range(len(slopes)):
            plain[k] += slopes[k]
            based[k] += base * slopes[k]
        for k in range(BASELINE):
            tally.seen[game, seat, k] += seen[k]
            tally.guessed[game, seat, k] += guess * seen[k]
        tally.about[game, seat, 0] += 1.0
        tally.about[game, seat, 1] += entropy


@compiled
def odds_of(scores: Numbers, count: int, best: float) -> float:
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
def drawn_by(odds: Numbers, count: int, drawn: float) -> int:
    """Return the index at which the sum of the probabilities passes a number from 0 to 1."""
    for i in range(count):
        drawn -= odds[i]
        if drawn < 0.0:
            return i
    return count - 1


@compiled
def slope_of(
    tables: Tables,
    rules: Rules,
    state: SearchState,
    scorer: Scorer,
    colour: int,
    found: Numbers,
    count: int,
    chosen: int,
    paper: Paper,
) -> None:
    """Write to `slopes` the gradient of the logarithm of what was chosen, by the weights: vectors, then heads.

    `sums` holds what the network summed up for each placement, `scores` the probabilities.
    """
    width = len(scorer.heads) // PHASES
    phase = phase_of(rules, state, colour)
    by_phase, head, of_heads = (OF_PHASES + phase) * width, phase * width, len(scorer.vectors)
    slopes, sums, seen = paper.slopes, paper.sums, paper.seen
    for k in range(len(slopes)):
        slopes[k] = 0.0
    for k in range(ROLES * len(state.cells) * width):
        seen[k] = 0.0
    for i in range(count):
        pull = (1.0 if i == chosen else 0.0) - paper.scores[i]
        if -UNLIKELY < pull < UNLIKELY:
            continue
        at, by_piece = i * width, (OF_PIECES + tables.piece[found[i]]) * width
        for k in range(width):
            term = sums[at + k]
            leak = 1.0 if term > 0.0 else LEAK
            slopes[of_heads + head + k] += pull * leak * term
            # From here on the sum's own slope.
            sums[at + k] = pull * leak * scorer.heads[head + k]
            slopes[by_phase + k] += sums[at + k]
            slopes[by_piece + k] += sums[at + k]
        hand_to_cells(tables, found[i], sums[at : at + width], len(state.cells), seen)
    hand_to_vectors(state, scorer, colour, seen, slopes)


@compiled
def hand_to_cells(tables: Tables, placement: int, slope: Numbers, room: int, seen: Numbers) -> None:
    """Add the slope of a placement's sum to that of each of its cells, in its role, on a board of `room` cells."""
    edges, corners = tables.edges_at[placement], tables.corners_at[placement]
    width = len(slope)
    for n in range(tables.cells_at[placement], tables.cells_at[placement + 1]):
        role = 0 if n < edges else (1 if n < corners else 2)
        cell = (role * room + tables.near[n]) * width
        for k in range(width):
            seen[cell + k] += slope[k]


@compiled
def hand_to_vectors(state: SearchState, scorer: Scorer, colour: int, seen: Numbers, slopes: Numbers) -> None:
    """Add the slope of every cell in every role to those of the vectors that it is the sum of."""
    width = len(scorer.heads) // PHASES
    at = 0
    for role in range(ROLES):
        for cell in range(len(state.cells)):
            kind = scorer.classes[colour * STATES + (state.cells[cell] & OPEN_TO)]
            by_class = (role * OF_ROLE + kind) * width
            by_view = (role * OF_ROLE + CLASSES + scorer.outlook.views[cell]) * width
            by_ring = (OF_RINGS + scorer.rings[cell]) * width
            for k in range(width):
                slopes[by_class + k] += seen[at + k]
                slopes[by_view + k] += seen[at + k]
                if role == 0:
                    slopes[by_ring + k] += seen[at + k]
            at += width


@compiled
def glance(rules: Rules, state: SearchState, scorer: Scorer, colour: int, seen: Numbers) -> None:
    """Write what the baseline looks at: in the place of the phase 1, and how far the colour is ahead of its rivals."""
    for k in range(BASELINE):
        seen[k] = 0.0
    rivals = scorer.outlook.rivals[colour]
    others, left, points = 0, 0, 0
    for rival in range(COLOURS):
        if rivals >> rival & 1:
            others += 1
            left += state.left[rival]
            points += state.attach_count[rival]
    at = GLANCES * phase_of(rules, state, colour)
    seen[at] = 1.0
    if others:
        seen[at + 1] = (left / others - state.left[colour]) / 10.0
        seen[at + 2] = (state.attach_count[colour] - points / others) / 10.0
