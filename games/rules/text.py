"""Boards as text: drawn for people and read for tests.

A drawing has one line a row, the top row first, `.` for a free cell, the capital initial of the colour
for a covered one and `_` for a place that the board has not. `ascii_board` adds the names of rows and
columns, which reading ignores::

    3 . . .
    2 B . .
    1 B B .
      a b c
"""

import re
from collections.abc import Iterator, Sequence

from games.rules.errors import UnreadableRecord, shown
from games.rules.geometry import Point, Shape
from games.rules.notation import format_column
from games.rules.placement import Placement, table_for
from games.rules.position import Position
from games.rules.variants import Variant, get_variant

_ROW = re.compile(r"[ ]*+[0-9]*+[ ]*+([A-Z._][A-Z._ ]*+)")
_FOOT = re.compile(r"[a-z ]*+")


def ascii_board(position: Position) -> str:
    """Return a drawing of the board with the names of its rows and columns; no final newline."""
    variant, board = position.variant, position.board
    initials = _initials(variant)
    drawn = {point: initials.get(held, held) for point, held in zip(variant.grid.points, board, strict=True)}
    margin, wide = len(str(variant.height)), len(format_column(variant.width - 1))
    lines = [
        f"{y + 1:>{margin}} " + " ".join(f"{drawn.get((x, y), '_'):<{wide}}" for x in range(variant.width)).rstrip()
        for y in reversed(range(variant.height))
    ]
    columns = " ".join(f"{format_column(x):<{wide}}" for x in range(variant.width)).rstrip()
    return "\n".join([*lines, " " * (margin + 1) + columns])


def read_board(
    drawing: str,
    variant: str | Variant = "blockyou-4",
    to_play: str | None = None,
    colours: Sequence[str] | None = None,
) -> Position:
    """Return a position with the pieces that a drawing shows.

    A drawing of fewer rows or columns than the board shows its lower left part. Pieces of one colour
    never share an edge, so each connected group is one piece; they count as placed from the bottom
    row up. Nothing else is checked: see `Position.setup`.

    Raises:
        UnreadableRecord: a line is no row, or a group of cells is no piece of the variant.
        UnknownColour: a colour is not in the game.
        IllegalPlacement: a colour has more of a piece than its stock.

    """
    chosen = get_variant(variant)
    names = {initial: chosen.colours[int(held)] for held, initial in _initials(chosen).items()}
    cells = _read_cells(drawing)
    for point, letter in cells.items():
        if point not in chosen.grid.index or letter not in names:
            raise UnreadableRecord(f"The drawing has a {letter} where {chosen.id} has nothing to show.")
    groups = [(names[cells[group[0]]], group) for group in _groups(chosen, cells)]
    placed = [(colour, _piece(chosen, group)) for colour, group in groups]
    return Position.setup(chosen, placed, to_play, colours)


def _initials(variant: Variant) -> dict[str, str]:
    """Return the capital initial of each colour by the digit that boards use for it."""
    return {str(number): colour[0].upper() for number, colour in enumerate(variant.colours)}


def _read_cells(drawing: str) -> dict[Point, str]:
    """Return the letter of each covered cell of a drawing, in reading order of the board."""
    rows = [line for line in drawing.split("\n") if line.strip() and not _FOOT.fullmatch(line)]
    cells: dict[Point, str] = {}
    for y, line in enumerate(reversed(rows)):
        found = _ROW.fullmatch(line.rstrip())
        if found is None:
            raise UnreadableRecord(f"This line of a drawing is no row: {shown(line)}.")
        letters = found[1].replace(" ", "")
        cells |= {(x, y): letter for x, letter in enumerate(letters) if letter not in "._"}
    return cells


def _groups(variant: Variant, cells: dict[Point, str]) -> Iterator[Shape]:
    """Yield each group of cells of one colour that hang together by their sides."""
    left = dict(cells)
    for first in cells:
        if first in left:
            yield _take_group(variant, left, first)


def _take_group(variant: Variant, left: dict[Point, str], first: Point) -> Shape:
    """Return the group of a cell; its cells are taken out of those that are left."""
    letter, group = left.pop(first), [first]
    for point in group:
        joined = [near for near in variant.grid.lattice.edge_neighbours(point) if left.get(near) == letter]
        group += joined
        for near in joined:
            del left[near]
    return tuple(group)


def _piece(variant: Variant, group: Shape) -> Placement:
    placement = table_for(variant).resolve(group)
    if placement.id is None:
        raise UnreadableRecord(f"These cells are no piece: {placement}.")
    return placement
