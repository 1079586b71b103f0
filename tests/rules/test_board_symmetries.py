"""Turned and mirrored boards have turned and mirrored legal sets: on hexagons all twelve ways, on squares three.

Cells are moved by where their middles lie, not by the rules' own way of turning shapes.
"""

from cmath import exp, pi
from collections.abc import Callable
from functools import cache

import pytest

from games.rules import Position
from games.rules.placement import table_for
from games.rules.variants import get_variant
from tests.rules.games import random_positions
from tests.rules.naive import Cell, middle
from tests.rules.naive_variants import RULES

Move = Callable[[complex], complex]


def turn(sixths: int) -> Move:
    return lambda spot: spot * exp(sixths * pi / 3 * 1j)


def mirror_and_turn(sixths: int) -> Move:
    return lambda spot: spot.conjugate() * exp(sixths * pi / 3 * 1j)


HEXAGON: dict[str, Move] = {
    **{f"turned {sixths} sixths": turn(sixths) for sixths in range(6)},
    **{f"mirrored, turned {sixths} sixths": mirror_and_turn(sixths) for sixths in range(6)},
}
#: What brings start cells to start cells on every square board with two or four of them.
SQUARE: dict[str, Move] = {
    "half": lambda z: -z,
    "diagonal": lambda z: complex(z.imag, z.real),
    "antidiagonal": lambda z: complex(-z.imag, -z.real),
}
SQUARES = ("classic-4", "classic-3", "classic-2", "duo", "junior", "codingame-2", "codingame-4")
CASES = [
    *(("trigon-4", name, move) for name, move in HEXAGON.items()),
    *(("trigon-3", name, move) for name, move in HEXAGON.items()),
    *((variant, name, move) for variant in SQUARES for name, move in SQUARE.items()),
    ("trigon-2", "turned 1 sixths", HEXAGON["turned 1 sixths"]),
    ("codingame-3", "diagonal", SQUARE["diagonal"]),
]


def moved_cells(variant: str, move: Move) -> dict[Cell, Cell]:
    """Return where a symmetry of the board brings each cell."""
    board = RULES[variant].board
    spots = {cell: complex(*middle(board, cell)) for cell in board.corners}
    centre = sum(spots.values()) / len(spots)
    at = {rounded(spot - centre): cell for cell, spot in spots.items()}
    return {cell: at[rounded(move(spot - centre))] for cell, spot in spots.items()}


def rounded(spot: complex) -> tuple[int, int]:
    return round(spot.real * 50), round(spot.imag * 50)


@cache
def games(variant: str) -> tuple[Position, ...]:
    """Return every third position of two games by chance."""
    return tuple(position for seed in (71, 72) for position in list(random_positions(seed, variant))[:-1:3])


@pytest.mark.proof
@pytest.mark.parametrize(("variant", "name", "move"), CASES, ids=lambda value: value if isinstance(value, str) else "")
def test_legal_sets_follow_the_symmetries_of_the_board(variant: str, name: str, move: Move) -> None:
    kind, cells = get_variant(variant), moved_cells(variant, move)
    table = table_for(kind)
    moved = [table.resolve(tuple(cells[point] for point in table.placement(n).points)).id for n in range(len(table))]
    assert set(moved) == set(range(len(table)))
    other = moved_colours(variant, cells)
    for position in games(variant):
        placed = [
            (other[turn.colour or ""], table.placement(moved[turn.placement.id or 0] or 0))
            for turn in position.history
            if turn.placement
        ]
        mirror = Position.setup(kind, placed)
        for colour in kind.colours:
            assert {moved[number] for number in position.legal_ids(colour)} == set(mirror.legal_ids(other[colour]))


def moved_colours(variant: str, cells: dict[Cell, Cell]) -> dict[str, str]:
    """Return, by colour, a colour whose start cells the symmetry makes of its own: itself if it can be."""
    starts = RULES[variant].starts
    return {
        colour: next(
            each for each in (colour, *starts) if {cells[cell] for cell in starts[colour]} == set(starts[each])
        )
        for colour in starts
    }
