"""What a policy sees of each placement, as rows of numbers to learn from."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from games.bots.engines.compiled import Numbers, compiled, numbers
from games.bots.engines.policy import (
    CLASSES,
    MOST_PIECES,
    PHASES,
    ROLES,
    STATES,
    WEIGHTS,
    class_of,
    phase_of,
    rings_of,
    sides,
)
from games.bots.engines.sight import ALL_WEIGHTS, FACTS, OUTLOOK_WEIGHTS, VIEWS, facts_of, look, outlook_of
from games.bots.engines.state import OPEN_TO, legal, rules_of, state_of
from games.bots.engines.tables import Tables, tables_of
from games.rules import Position

#: Whether a view has a fact, by view and fact.
_IS_FACT = numbers([int(fact in facts_of(view)) for view in range(VIEWS) for fact in range(FACTS)])

_NOTHING = [[0.0] * ALL_WEIGHTS] * PHASES


@dataclass(frozen=True)
class Choices:
    """The legal placements of one position: their ids, a row of `OUTLOOK_WEIGHTS` small counts each, and the phase."""

    ids: Any
    rows: Any
    phase: int


def choices(position: Position) -> Choices:
    """Return what the policy sees in a position."""
    tables, rules = tables_of(position), rules_of(position)
    state = state_of(position, tables, rules)
    colour = position.variant.colour_number(position.colour or "")
    found = numbers([0] * len(tables.piece))
    count = legal(tables, rules, state, colour, found)
    rows = np.zeros((count, OUTLOOK_WEIGHTS), dtype=np.int8)
    mates, opponents = sides(rules, colour)
    classes = numbers([class_of(cell, colour, mates, opponents) for cell in range(STATES)])
    _fill(tables, state.cells, classes, numbers(rings_of(position.variant.grid)), found, count, rows)
    outlook = outlook_of(position, rules, _NOTHING)
    look(tables, rules, state, outlook, colour)
    _fill_facts(tables, outlook.views, _IS_FACT, found, count, rows)
    return Choices(np.array(found[:count]), rows, int(phase_of(rules, state, colour)))


@compiled
def _fill(
    tables: Tables, cells: Numbers, classes: Numbers, rings: Numbers, found: Numbers, count: int, rows: Any
) -> None:
    """Count for each placement the cells of each role and class, its piece, and its cells in each ring."""
    for i in range(count):
        placement = found[i]
        edges, corners = tables.edges_at[placement], tables.corners_at[placement]
        rows[i, ROLES * CLASSES + tables.piece[placement]] = 1
        for k in range(tables.cells_at[placement], edges):
            rows[i, classes[cells[tables.near[k]] & OPEN_TO]] += 1
            rows[i, ROLES * CLASSES + MOST_PIECES + rings[tables.near[k]]] += 1
        for k in range(edges, corners):
            rows[i, CLASSES + classes[cells[tables.near[k]] & OPEN_TO]] += 1
        for k in range(corners, tables.cells_at[placement + 1]):
            rows[i, 2 * CLASSES + classes[cells[tables.near[k]] & OPEN_TO]] += 1


@compiled
def _fill_facts(tables: Tables, views: Numbers, is_fact: Numbers, found: Numbers, count: int, rows: Any) -> None:
    """Count for each placement the facts about the cells of each role."""
    for i in range(count):
        placement = found[i]
        edges, corners = tables.edges_at[placement], tables.corners_at[placement]
        for k in range(tables.cells_at[placement], tables.cells_at[placement + 1]):
            role = 0 if k < edges else (1 if k < corners else 2)
            for fact in range(FACTS):
                rows[i, WEIGHTS + role * FACTS + fact] += is_fact[views[tables.near[k]] * FACTS + fact]
