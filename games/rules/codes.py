"""Placements and shapes as CodinGame's protocol writes them: `column row Xfrn`, column and row from the upper left.

X is the letter of a piece, f says whether it is flipped (0, 1) and r how many quarter turns clockwise follow (0-3).
n is the number, from 1, of the square that lies on the column and row: the squares of the shape as it is listed are
numbered row by row from the top, left to right.
"""

import re
from functools import cache
from typing import NamedTuple

from games.rules.errors import UnreadablePlacement
from games.rules.geometry import Point, Shape
from games.rules.pieces import POLYOMINOES, by_name
from games.rules.placement import Placement, table_for
from games.rules.position import Position
from games.rules.variants import SIZED, Variant
from games.rules.variants.codingame import LETTERS

_NAMES = {name: letter for letter, name in LETTERS.items()}
_CODE = re.compile(r"(0|[1-9][0-9]?) (0|[1-9][0-9]?) ([A-U])([01])([0-3])([1-5])")
_ORIENTATIONS = tuple((flip, turns) for flip in (0, 1) for turns in range(4))


class Code(NamedTuple):
    """What a text such as `0 12 Q033` says. `x` is the column from the left, `y` the row from the top, both from 0."""

    x: int
    y: int
    letter: str
    flip: int
    turns: int
    square: int

    def __str__(self) -> str:
        return f"{self.x} {self.y} {self.letter}{self.flip}{self.turns}{self.square}"

    @property
    def points(self) -> Shape:
        """Return the covered cells as (column, row from the top), on a board or beyond it."""
        squares = _turned(self.letter, self.flip, self.turns)
        dx, dy = self.x - squares[self.square - 1][0], self.y - squares[self.square - 1][1]
        return tuple((x + dx, y + dy) for x, y in squares)


def has_codes(variant: Variant) -> bool:
    """Return whether the placements of a variant have codes: those of CodinGame's boards do."""
    return variant.family in SIZED


@cache
def squares_of(letter: str) -> Shape:
    """Return the squares of a shape as it is listed, in the order of their numbers, as (column, row from the top)."""
    cells = by_name(POLYOMINOES)[LETTERS[letter]].cells
    top = max(y for _, y in cells)
    return tuple(sorted(((x, top - y) for x, y in cells), key=lambda square: (square[1], square[0])))


def shape_text(letter: str) -> str:
    """Return a shape as the protocol lists it: `Q 3 3 ###.#..#.`, letter, columns, rows, and the rows joined."""
    squares = squares_of(letter)
    columns, rows = max(x for x, _ in squares) + 1, max(y for _, y in squares) + 1
    drawn = "".join("#" if (x, y) in squares else "." for y in range(rows) for x in range(columns))
    return f"{letter} {columns} {rows} {drawn}"


def parse_shape(text: str) -> tuple[str, Shape]:
    """Return the letter and the squares, in the order of their numbers, of a shape as the protocol lists it.

    Raises:
        UnreadablePlacement: it is no such text.

    """
    found = re.fullmatch(r"([A-U]) ([1-5]) ([1-5]) ([#.]+)", text)
    if found is None or len(found[4]) != int(found[2]) * int(found[3]):
        raise UnreadablePlacement(0, "a shape such as D 2 2 ###.")
    columns = int(found[2])
    return found[1], tuple((at % columns, at // columns) for at, mark in enumerate(found[4]) if mark == "#")


def parse_code(text: str) -> Code:
    """Return what a code says. Whether its cells are on a board is not checked.

    Raises:
        UnreadablePlacement: the text is no code.

    """
    found = _CODE.fullmatch(text)
    if found is None:
        raise UnreadablePlacement(0, "column, row and a code such as 0 0 Q001")
    code = Code(int(found[1]), int(found[2]), found[3], int(found[4]), int(found[5]), int(found[6]))
    if code.square > len(squares_of(code.letter)):
        raise UnreadablePlacement(len(text) - 1, "the number of a square of %(piece)s", piece=code.letter)
    return code


def placement_of(code: Code, variant: Variant) -> Placement:
    """Return the placement that a code means; one beyond the board, or of a piece not in play, has no id."""
    points = tuple((x, variant.height - 1 - y) for x, y in code.points)
    return table_for(variant).resolve(points, LETTERS[code.letter])


def code_at(placement: Placement, variant: Variant, cell: int) -> Code:
    """Return the first of the codes by which a placement covers the cell of that index: the least flip, then turns."""
    return codes_at(placement, variant, cell)[0]


def codes_at(placement: Placement, variant: Variant, cell: int) -> tuple[Code, ...]:
    """Return every code of a placement for one of its cells; a symmetric piece has several."""
    x, y = _from_top(variant, cell)
    around = frozenset((column - x, variant.height - 1 - row - y) for column, row in placement.points)
    return tuple(Code(x, y, *rest) for rest in _ways(_NAMES[placement.piece], around))


def code_of(position: Position, placement: Placement) -> Code:
    """Return the code that the protocol lists for a legal placement of the colour to play.

    It lies at the first attach point that the placement covers, row by row from the top.
    """
    points = attach_cells(position)
    return code_at(placement, position.variant, next(cell for cell in points if cell in placement.cells))


def attach_cells(position: Position) -> tuple[int, ...]:
    """Return the attach points of the colour to play, row by row from the top, left to right."""
    grid = position.variant.grid
    points = position.attach_points(position.colour or "")
    return tuple(sorted(points, key=lambda cell: (-grid.points[cell][1], grid.points[cell][0])))


def _from_top(variant: Variant, cell: int) -> Point:
    x, y = variant.grid.points[cell]
    return x, variant.height - 1 - y


@cache
def _ways(letter: str, around: frozenset[Point]) -> tuple[tuple[str, int, int, int], ...]:
    """Return letter, flip, turns and square of each code by which a piece covers those points around (0, 0)."""
    ways = ((letter, flip, turns, square) for flip, turns in _ORIENTATIONS for square in range(1, len(around) + 1))
    return tuple(way for way in ways if frozenset(Code(0, 0, *way).points) == around)


@cache
def _turned(letter: str, flip: int, turns: int) -> Shape:
    squares = squares_of(letter)
    if flip:
        squares = tuple((y, x) for x, y in squares)
    for _ in range(turns):
        squares = tuple((-y, x) for x, y in squares)
    return squares
