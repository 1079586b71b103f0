"""A policy that sees further: what each cell is to each colour (`policy`), what it is beside, and what is new.

A cell's view, for one colour, is made of facts: whether the cell is beside the attach points of rivals who could go on
over it; whether it is an attach point that a rival's latest placement touched; and which colour covers it, or, where
the colour itself could, how many cells beside it the colour could cover too. Each fact has a learned weight for each
role, added to those of the policy. All cells are looked at once for a colour, and then every placement is a sum: dear
for a few placements, so positions in the tree are judged by an `Outlook`, and simulated games are played on by a
`Policy`, whose weights are learned apart: what the facts tell an outlook, it must make do without.

The ideas: attach points by their free neighbours, neighbours of opponents' attach points and answers to the latest
move, as in the move features of Go programs (Coulom 2007) and, for this family of games, in Pentobi.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from games.bots.engines.compiled import Numbers, compiled, index, inlined, numbers, zeros
from games.bots.engines.policy import (
    CLASSES,
    PHASES,
    RINGS,
    ROLES,
    STATES,
    STRIDE,
    UNIT,
    WEIGHTS,
    Policy,
    phase_of,
    policy_of,
    sides,
)
from games.bots.engines.state import CELLS, COLOURS, OPEN_TO, Rules, SearchState
from games.bots.engines.tables import Tables
from games.rules import Position
from games.rules.geometry import Grid

# The facts of a cell: an attach point that a rival's latest placement touched; beside one attach point of rivals, or
# more; then what it is, one of `KINDS`.
_FRESH, _NEAR, _IS = 0, 1, 3

# What a cell is: covered by the colour itself, by another of its seat, by a rival; free but closed to the colour; open
# to it, and from there on by how many open cells are beside it, 0 to 4.
_OWN, _MATE, _RIVAL, _CLOSED, _OPEN = range(5)
KINDS = _OPEN + 5
FACTS = _IS + KINDS

#: A view is three times two times `KINDS`: beside how many, whether it is fresh, and what it is.
VIEWS = 3 * 2 * KINDS

#: Weights of one phase of an outlook: those of its policy, then by role and fact.
OUTLOOK_WEIGHTS = WEIGHTS + ROLES * FACTS

#: All weights of one phase: those of the outlook, then those of the policy that plays games on.
ALL_WEIGHTS = OUTLOOK_WEIGHTS + WEIGHTS


#: Outlooks whose weights are kept in a process, some 100 kB each: making them takes longer than a level 4 thinks.
KEPT_OUTLOOKS = 16


class Outlook(NamedTuple):
    """A policy with the weights of views, by phase, role and view; mates and rivals of each colour as bits.

    `playing_on` is the policy of simulated games. `views` (by cell) and `worth` (by role and cell) are scratch
    space.
    """

    policy: Policy
    playing_on: Policy
    facts: Numbers
    mates: Numbers
    rivals: Numbers
    views: Numbers
    worth: Numbers


def outlook_of(
    position: Position, rules: Rules, weights: Sequence[Sequence[float]], temperature: float = 1.0
) -> Outlook:
    """Return the outlook of these weights (by phase, `ALL_WEIGHTS` each) for a game, as `policy_of` does."""
    allied = tuple(sides(rules, colour) for colour in range(COLOURS))
    policy, playing_on, facts = _spread_out(position.variant.grid, allied, tuple(map(tuple, weights)), temperature)
    cells = int(rules.fixed[CELLS])
    return Outlook(
        policy=policy,
        playing_on=playing_on,
        facts=facts,
        mates=numbers([mates for mates, _ in allied]),
        rivals=numbers([rivals for _, rivals in allied]),
        views=zeros(cells),
        worth=zeros(ROLES * cells),
    )


@lru_cache(maxsize=KEPT_OUTLOOKS)
def _spread_out(
    grid: Grid, allied: tuple[tuple[int, int], ...], weights: tuple[tuple[float, ...], ...], temperature: float
) -> tuple[Policy, Policy, Numbers]:
    """Return of an outlook what is only read: its two policies and its weights of views."""
    facts = []
    for phase in range(PHASES):
        for role in range(ROLES):
            row = weights[phase][WEIGHTS + role * FACTS : WEIGHTS + (role + 1) * FACTS]
            facts += [round(UNIT * sum(row[fact] for fact in facts_of(view))) for view in range(VIEWS)]
    playing_on = [row[OUTLOOK_WEIGHTS:] for row in weights]
    return (
        policy_of(grid, allied, weights, temperature),
        policy_of(grid, allied, playing_on, temperature),
        numbers(facts),
    )


def facts_of(view: int) -> list[int]:
    """Return the facts that a view is made of."""
    around, kind = divmod(view, KINDS)
    near, fresh = divmod(around, 2)
    return [_FRESH] * fresh + ([_NEAR + near - 1] if near else []) + [_IS + kind]


@compiled
def look(tables: Tables, rules: Rules, state: SearchState, outlook: Outlook, colour: int) -> None:
    """Write to `views` what a colour sees of each cell."""
    cells, views = state.cells, outlook.views
    rivals, mates = outlook.rivals[colour], outlook.mates[colour]
    count = rules.fixed[CELLS]
    for cell in range(index(count)):
        views[cell] = 0
    for rival in range(COLOURS):
        if rivals >> rival & 1:
            _look_at_rival(tables, state, views, rival)
    for cell in range(count):
        at = index(cell)
        seen = cells[at]
        covered = seen >> 8
        if covered:
            kind = _OWN if covered >> colour & 1 else (_MATE if covered & mates else _RIVAL)
        elif seen >> 4 + colour & 1:
            kind = _CLOSED
        else:
            kind = _OPEN
            for k in range(index(tables.beside_at[at]), index(tables.beside_at[index(cell + 1)])):
                kind += ~(cells[tables.beside[k]] >> 4 + colour) & 1
        views[at] = views[at] * KINDS + kind


@inlined
def _look_at_rival(tables: Tables, state: SearchState, views: Numbers, rival: int) -> None:
    """Note which cells are beside a rival's attach points, at most two of all rivals, and which are fresh ones."""
    cells, base = state.cells, rival * len(state.cells)
    for i in range(index(base), index(base + state.attach_count[rival])):
        point = state.attach[i]
        if not cells[index(point)] >> rival & 1:
            continue
        for k in range(index(tables.beside_at[index(point)]), index(tables.beside_at[index(point + 1)])):
            cell = tables.beside[k]
            if not cells[cell] >> 4 + rival & 1 and views[cell] < 4:
                views[cell] += 2
    if not state.placed[rival]:
        return
    latest = state.latest[rival]
    for k in range(tables.corners_at[latest], tables.cells_at[latest + 1]):
        if cells[tables.near[k]] >> rival & 1:
            views[tables.near[k]] |= 1


@compiled
def score_by_sight(
    tables: Tables,
    rules: Rules,
    state: SearchState,
    outlook: Outlook,
    who: int,
    found: Numbers,
    count: int,
    scores: Numbers,
) -> int:
    """Write the scores of the first `count` placements in `found`, for colour `who`, to `scores`; return the best."""
    look(tables, rules, state, outlook, who)
    phase, room = phase_of(rules, state, who), rules.fixed[CELLS]
    weights, rings, near, worth = outlook.policy.weights, outlook.policy.rings, tables.near, outlook.worth
    start = (who * PHASES + phase) * STRIDE
    for role in range(ROLES):
        cells, facts = start + role * STATES, (phase * ROLES + role) * VIEWS
        for cell in range(room):
            seen = (
                weights[index(cells + (state.cells[index(cell)] & OPEN_TO))]
                + outlook.facts[index(facts + outlook.views[index(cell)])]
            )
            worth[index(role * room + cell)] = seen if role else seen + rings[index(phase * room + cell)]
    best = -(1 << 30)
    for i in range(index(count)):
        placement = found[i]
        edges, corners = index(tables.edges_at[index(placement)]), index(tables.corners_at[index(placement)])
        total = weights[index(start + ROLES * STATES + tables.piece[index(placement)])]
        for k in range(index(tables.cells_at[index(placement)]), edges):
            total += worth[near[k]]
        for k in range(edges, corners):
            total += worth[index(room + near[k])]
        for k in range(corners, index(tables.cells_at[index(placement + 1)])):
            total += worth[index(2 * room + near[k])]
        scores[i] = total
        if total > best:
            best = total
    return best


def bias(opens: float, takes: float, nears: float, meets: float, strays: float) -> list[list[float]]:
    """Return additions to weights, the same in every phase: what a character cares for (`games.roster.entries`)."""
    row = [0.0] * OUTLOOK_WEIGHTS
    for kind in range(CLASSES):
        own, other = kind // 8, kind // 2 % 4
        covered, beside, reached = kind, CLASSES + kind, 2 * CLASSES + kind
        row[covered] = takes if other > 1 else 0.0
        row[beside] = nears if other > 1 else 0.0
        row[reached] = opens if own == 0 else 0.0
    row[WEIGHTS - RINGS : WEIGHTS] = [strays * ring for ring in range(RINGS)]
    # The second role is the cells beside the placement.
    row[WEIGHTS + FACTS + _IS + _RIVAL] = meets
    return [row + row[:WEIGHTS]] * PHASES
