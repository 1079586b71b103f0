"""A policy: how likely a good player is to choose each placement, from what the placement touches.

Every cell that a placement covers, bars (the cells beside it) or reaches (the cells at its corners) is of one of 24
classes, seen from the colour that places: whether the cell is an attach point of its own, whether opponents can use it
or could start from it, whether it is an attach point of a second colour of the same seat. A placement's score is the
sum of a weight for each such cell, one for its piece and one for how far from the middle its cells lie; the weights
differ between the beginning, the middle and the end of a colour's game. The probability of a placement is a softmax of
the scores. The weights are learned (`games.bots.training`).

Scores are whole numbers, `UNIT` to one unit of the exponent, so that they are the same on every machine.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from games.bots.engines.compiled import Numbers, compiled, index, inlined, numbers
from games.bots.engines.state import ACTIVE, CELLS, COLOURS, OPEN_TO, STOCK, Rules, SearchState
from games.bots.engines.tables import Tables
from games.rules.geometry import Grid

UNIT = 64
ROLES = 3
CLASSES = 24
PHASES = 3
RINGS = 8
#: Pieces that the weights tell apart; no variant has more.
MOST_PIECES = 24
#: Weights of one phase: by role and class, by piece, by ring.
WEIGHTS = ROLES * CLASSES + MOST_PIECES + RINGS

#: States of a cell as `SearchState.cells` gives them, without the colour that covers it.
STATES = 256
#: Numbers in one colour's and phase's part of a policy.
STRIDE = ROLES * STATES + MOST_PIECES

#: What a score that many 1/UNITs below the best weighs against it, which weighs 2**20.
_STEPS = 12 * UNIT


class Policy(NamedTuple):
    """Weights spread out for one game: by colour, phase, role and state of a cell; and by phase and cell.

    `likely` holds the weight of a placement by how far its score lies below the best.
    """

    weights: Numbers
    rings: Numbers
    likely: Numbers


def class_of(cell: int, colour: int, mates: int, opponents: int) -> int:
    """Return the class of a cell, 0 to 23, as a colour sees it; mates and opponents are colours as bits."""
    own = 2 if cell >> 4 + colour & 1 else cell >> colour & 1
    rivals = (cell & opponents).bit_count()
    open_to = opponents & ~(cell >> 4)
    other = min(1 + rivals, 3) if open_to else 0
    return (own * 4 + other) * 2 + bool(cell & mates)


def sides(rules: Rules, colour: int) -> tuple[int, int]:
    """Return as bits the other colours of the same seat, and those of all other seats that are in the game."""
    present = [c for c in range(COLOURS) if rules.seat_of[c] >= 0 or rules.fixed[ACTIVE] >> c & 1]
    mates = sum(1 << c for c in present if c != colour and rules.seat_of[c] == rules.seat_of[colour])
    return mates, sum(1 << c for c in present if c != colour and not mates >> c & 1)


def rings_of(grid: Grid) -> list[int]:
    """Return by cell how far it lies from the middle of the board: 0 to 7."""
    wide, high = grid.lattice.pitch
    middle = (grid.width - 1) * wide / 2, (grid.height - 1) * high / 2
    reach = math.hypot(*middle)
    away = [math.hypot(x * wide - middle[0], y * high - middle[1]) for x, y in grid.points]
    return [min(RINGS - 1, int(RINGS * distance / reach)) for distance in away]


def policy_of(
    grid: Grid, allied: Sequence[tuple[int, int]], weights: Sequence[Sequence[float]], temperature: float = 1.0
) -> Policy:
    """Return the policy of these weights for a game; a higher temperature evens out the odds.

    `allied` are by colour its `sides`. Of the weights (by phase) the first `WEIGHTS` of each row are used; an `Outlook`
    has more.
    """
    spread: list[int] = []
    for colour in range(COLOURS):
        mates, opponents = allied[colour]
        classes = [class_of(cell, colour, mates, opponents) for cell in range(STATES)]
        for phase in range(PHASES):
            spread += _spread(weights[phase], classes)
    rings = rings_of(grid)
    by_cell = [round(UNIT * weights[phase][WEIGHTS - RINGS + ring]) for phase in range(PHASES) for ring in rings]
    likely = [round(2**20 * math.exp(-step / UNIT / temperature)) for step in range(round(_STEPS * temperature))]
    return Policy(numbers(spread), numbers(by_cell), numbers([*likely, 0], 64))


def _spread(weights: Sequence[float], classes: Sequence[int]) -> list[int]:
    """Return the weights of a phase by role and state of a cell, given the states' classes, then by piece."""
    row = [round(UNIT * weight) for weight in weights]
    by_role = [row[role * CLASSES + kind] for role in range(ROLES) for kind in classes]
    return by_role + row[ROLES * CLASSES : ROLES * CLASSES + MOST_PIECES]


@inlined
def phase_of(rules: Rules, state: SearchState, colour: int) -> int:
    """Return whether a colour is at the beginning (0), in the middle (1) or at the end (2) of its game."""
    left = 3 * state.left[colour]
    stock = rules.fixed[STOCK]
    return 0 if left > 2 * stock else (1 if left > stock else 2)


@inlined
def score_all(
    tables: Tables,
    rules: Rules,
    state: SearchState,
    policy: Policy,
    colour: int,
    found: Numbers,
    count: int,
    scores: Numbers,
) -> int:
    """Write the scores of the first `count` placements in `found` to `scores`; return the best."""
    phase = phase_of(rules, state, colour)
    weights, rings, cells, near = policy.weights, policy.rings, state.cells, tables.near
    covers = (colour * PHASES + phase) * STRIDE
    bars, reaches = covers + STATES, covers + 2 * STATES
    pieces = covers + ROLES * STATES
    ring = phase * rules.fixed[CELLS]
    best = -(1 << 30)
    for i in range(index(count)):
        placement = found[i]
        edges, corners = index(tables.edges_at[index(placement)]), index(tables.corners_at[index(placement)])
        total = weights[index(pieces + tables.piece[index(placement)])]
        for k in range(index(tables.cells_at[index(placement)]), edges):
            total += weights[index(covers + (cells[near[k]] & OPEN_TO))] + rings[index(ring + near[k])]
        for k in range(edges, corners):
            total += weights[index(bars + (cells[near[k]] & OPEN_TO))]
        for k in range(corners, index(tables.cells_at[index(placement + 1)])):
            total += weights[index(reaches + (cells[near[k]] & OPEN_TO))]
        scores[i] = total
        if total > best:
            best = total
    return best


@compiled
def weigh_all(policy: Policy, scores: Numbers, count: int, best: int) -> int:
    """Turn scores into weights of the softmax, whole numbers; return their sum."""
    likely = policy.likely
    last = len(likely) - 1
    total = 0
    for i in range(index(count)):
        below = best - scores[i]
        scores[i] = likely[index(below)] if below < last else 0
        total += scores[i]
    return total


@inlined
def roll(luck: Numbers, sides_: int) -> int:
    """Return a number from 0 to below `sides_` (at most 2**31) and go on to the next: a Lehmer generator."""
    luck[0] = luck[0] * 48271 % 2147483647
    rolled: int = luck[0] * sides_ // 2147483647
    return rolled


@inlined
def pick(scores: Numbers, count: int, total: int, luck: Numbers) -> int:
    """Return an index below `count`, drawn by the weights, whose sum is given."""
    drawn = roll(luck, total)
    for i in range(count):
        drawn -= scores[index(i)]
        if drawn < 0:
            return i
    return count - 1
