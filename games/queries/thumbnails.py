"""A board as a small picture: one path a colour.

A path is a set of straight strokes two units wide in a picture of two units a cell, so that every number is whole and
a stroke is a rectangle of cells: rows of two cells or more first, then what is left as columns.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from games.rules import VARIANTS
from games.rules.variants import Variant

#: A board's colours and paths.
Paths = tuple[tuple[str, str], ...]

_ROW = re.compile(r"([^.\n])\1+")
_COLUMN = re.compile(r"([^.\n])\1*")


@dataclass(frozen=True)
class Thumbnail:
    """A small picture of a board, for `games/_thumb.html`. `free` outlines what is still to be taken."""

    width: int
    height: int
    paths: Paths
    free: str = ""


@lru_cache(maxsize=2048)
def paths(board: str, variant: str) -> Paths:
    """Return the path of each colour that covers a cell, in the variant's order. Nothing for an empty text."""
    kind = VARIANTS[variant]
    width, height = kind.width, len(board) // kind.width
    top = 2 * kind.height - 1
    strokes: dict[str, list[str]] = {}
    rows = "\n".join([board[start : start + width] for start in range(0, len(board), width)])
    for run in _ROW.finditer(rows):
        row, column = divmod(run.start(), width + 1)
        strokes.setdefault(run[1], []).append(f"M{2 * column} {top - 2 * row}h{2 * len(run[0])}")
    rest = _ROW.sub(lambda run: "." * len(run[0]), rows)
    columns = "\n".join([rest[column :: width + 1] for column in range(width)])
    for run in _COLUMN.finditer(columns):
        column, row = divmod(run.start(), height + 1)
        strokes.setdefault(run[1], []).append(f"M{2 * column + 1} {top + 1 - 2 * row}v-{2 * len(run[0])}")
    return tuple((kind.colours[int(number)], "".join(strokes[number])) for number in sorted(strokes))


def thumbnail(board: str, variant: str) -> Thumbnail:
    """Return the picture of a board."""
    kind = VARIANTS[variant]
    return Thumbnail(2 * kind.width, 2 * kind.height, paths(board, variant))


@lru_cache(maxsize=256)
def table_thumbnail(variant: str, taken: tuple[str, ...], free: tuple[str, ...]) -> Thumbnail:
    """Return the picture of a table before the game: a block at each colour's start, outlined where a seat is free."""
    kind = VARIANTS[variant]
    blocks = tuple((colour, _block(kind, colour, is_outline=False)) for colour in taken)
    outlines = "".join(_block(kind, colour, is_outline=True) for colour in free)
    return Thumbnail(2 * kind.width, 2 * kind.height, blocks, outlines)


def _block(kind: Variant, colour: str, *, is_outline: bool) -> str:
    """Return a square a third of the board wide around the colour's first start cell: its rows, or its border."""
    side = kind.width // 3
    x, y = kind.grid.points[kind.start_cells[colour][0]]
    left, top = (
        2 * min(max(1, at - side // 2), size - side - 1)
        for at, size in ((x, kind.width), (kind.height - 1 - y, kind.height))
    )
    if is_outline:
        return f"M{left + 1} {top + 1}h{2 * side - 2}v{2 * side - 2}h-{2 * side - 2}z"
    return "".join(f"M{left} {top + row}h{2 * side}" for row in range(1, 2 * side, 2))
