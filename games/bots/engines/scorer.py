"""A small network that scores placements, learned by play (`games.learning.train`).

Every cell that a placement covers, bars (the cells beside it) or reaches (the cells at its corners) adds a learned
vector, by what the cell is to the colour that places: its class (`policy`) and its view (`sight`). So do the
placement's piece, the ring of every covered cell, and the phase of the colour's game. Below zero a number of the sum
counts an eighth; the score is a weighted sum of these numbers, with weights of the phase.

All of it is + and * of doubles in a fixed order: the same scores on every machine, with and without a compiler.
"""

from collections.abc import Sequence
from typing import NamedTuple

from games.bots.engines.compiled import Numbers, compiled, fractions, numbers
from games.bots.engines.policy import (
    CLASSES,
    MOST_PIECES,
    PHASES,
    RINGS,
    ROLES,
    STATES,
    class_of,
    phase_of,
    rings_of,
    sides,
)
from games.bots.engines.sight import ALL_WEIGHTS, VIEWS, Outlook, look, outlook_of
from games.bots.engines.state import COLOURS, OPEN_TO, Rules, SearchState
from games.bots.engines.tables import Tables
from games.rules import Position

# Where the vectors of each kind begin: by role those of classes and views, then of pieces, rings and phases.
OF_ROLE = CLASSES + VIEWS
OF_PIECES = ROLES * OF_ROLE
OF_RINGS = OF_PIECES + MOST_PIECES
OF_PHASES = OF_RINGS + RINGS

#: How many vectors there are.
VECTORS = OF_PHASES + PHASES

#: How much of a number below zero counts.
LEAK = 0.125


class Scorer(NamedTuple):
    """The network, spread out for one game.

    `vectors` and `heads` are the weights: a vector after the other, then by phase. `classes` has the class of a cell by
    colour and state, `rings` the ring of each cell. `worth` (by role and cell, a vector each) is scratch space, and
    so are the views of `outlook`, of which no weight is used.
    """

    vectors: Numbers
    heads: Numbers
    classes: Numbers
    rings: Numbers
    outlook: Outlook
    worth: Numbers


def weight_count(width: int) -> int:
    """Return how many weights a network has whose vectors are of that width."""
    return (VECTORS + PHASES) * width


def scorer_of(position: Position, rules: Rules, weights: Sequence[float], width: int) -> Scorer:
    """Return the network of these weights, `weight_count(width)` numbers, for a game."""
    classes = []
    for colour in range(COLOURS):
        mates, opponents = sides(rules, colour)
        classes += [class_of(cell, colour, mates, opponents) for cell in range(STATES)]
    rings = rings_of(position.variant.grid)
    made = Scorer(
        vectors=fractions(VECTORS * width),
        heads=fractions(PHASES * width),
        classes=numbers(classes),
        rings=numbers(rings),
        outlook=outlook_of(position, rules, [[0.0] * ALL_WEIGHTS] * PHASES),
        worth=fractions(ROLES * len(rings) * width),
    )
    set_weights(made, weights)
    return made


def set_weights(scorer: Scorer, weights: Sequence[float]) -> None:
    """Give a network other weights."""
    count = len(scorer.vectors)
    scorer.vectors[:] = weights[:count]
    scorer.heads[:] = weights[count:]


@compiled
def weigh_cells(tables: Tables, rules: Rules, state: SearchState, scorer: Scorer, colour: int) -> None:
    """Write to `worth` the vector of every cell in every role, as a colour sees it."""
    look(tables, rules, state, scorer.outlook, colour)
    cells, views, vectors, worth = state.cells, scorer.outlook.views, scorer.vectors, scorer.worth
    width = len(scorer.heads) // PHASES
    at = 0
    for role in range(ROLES):
        for cell in range(len(cells)):
            kind = scorer.classes[colour * STATES + (cells[cell] & OPEN_TO)]
            by_class = (role * OF_ROLE + kind) * width
            by_view = (role * OF_ROLE + CLASSES + views[cell]) * width
            by_ring = (OF_RINGS + scorer.rings[cell]) * width
            for k in range(width):
                worth[at + k] = vectors[by_class + k] + vectors[by_view + k]
            if role == 0:
                for k in range(width):
                    worth[at + k] += vectors[by_ring + k]
            at += width


@compiled
def score_by_network(
    tables: Tables,
    rules: Rules,
    state: SearchState,
    scorer: Scorer,
    colour: int,
    found: Numbers,
    count: int,
    sums: Numbers,
    scores: Numbers,
) -> float:
    """Write the scores of the first `count` placements in `found` to `scores`, and their sums of vectors to `sums`.

    Return the best score. `sums` has room for a vector a placement.
    """
    weigh_cells(tables, rules, state, scorer, colour)
    vectors, heads, worth, near = scorer.vectors, scorer.heads, scorer.worth, tables.near
    width, room = len(heads) // PHASES, len(state.cells)
    phase = phase_of(rules, state, colour)
    by_phase, head = (OF_PHASES + phase) * width, phase * width
    best = -1e300
    for i in range(count):
        placement, at = found[i], i * width
        edges, corners = tables.edges_at[placement], tables.corners_at[placement]
        by_piece = (OF_PIECES + tables.piece[placement]) * width
        for k in range(width):
            sums[at + k] = vectors[by_phase + k] + vectors[by_piece + k]
        for n in range(tables.cells_at[placement], tables.cells_at[placement + 1]):
            role = 0 if n < edges else (1 if n < corners else 2)
            cell = (role * room + near[n]) * width
            for k in range(width):
                sums[at + k] += worth[cell + k]
        score = 0.0
        for k in range(width):
            term = sums[at + k]
            score += heads[head + k] * (term if term > 0.0 else LEAK * term)
        scores[i] = score
        if score > best:
            best = score
    return best
