"""A board as a small picture: one path a colour.

A path is a set of straight strokes two units wide in a picture of two units a cell, so that every number is whole and
a stroke is a rectangle of cells: rows of two cells or more first, then what is left as columns.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from games.rules import VARIANTS

#: A board's colours and paths.
Paths = tuple[tuple[str, str], ...]

FREE = "."
_RUN = re.compile(r"([^.])\1+")


@dataclass(frozen=True)
class Thumbnail:
    """A small picture of a board, for `games/_thumb.html`."""

    width: int
    height: int
    paths: Paths


@lru_cache(maxsize=2048)
def paths(board: str, variant: str) -> Paths:
    """Return the path of each colour that covers a cell, in the variant's order. Nothing for an empty text."""
    kind = VARIANTS[variant]
    width, height = kind.width, kind.height
    strokes: dict[str, list[str]] = {}
    singles: list[str] = []
    for row in range(len(board) // width):
        line = board[row * width : (row + 1) * width]
        y = 2 * (height - row) - 1
        for run in _RUN.finditer(line):
            strokes.setdefault(run[1], []).append(f"M{2 * run.start()} {y}h{2 * len(run[0])}")
        singles.append(_RUN.sub(lambda run: FREE * len(run[0]), line))
    for column in range(width):
        _add_columns(strokes, column, "".join([line[column] for line in singles]), height)
    return tuple((kind.colours[int(number)], "".join(strokes[number])) for number in sorted(strokes))


def _add_columns(strokes: dict[str, list[str]], column: int, line: str, height: int) -> None:
    row = 0
    while row < len(line):
        end = row + 1
        if line[row] != FREE:
            while end < len(line) and line[end] == line[row]:
                end += 1
            top = 2 * (height - end)
            strokes.setdefault(line[row], []).append(f"M{2 * column + 1} {top}v{2 * (end - row)}")
        row = end


def thumbnail(board: str, variant: str, colours: Sequence[str] = ()) -> Thumbnail:
    """Return the picture of a board; before the first move it shows the start cells of these colours (none: all)."""
    kind = VARIANTS[variant]
    shown = board if board.strip(FREE) else start_board(variant, tuple(colours))
    return Thumbnail(2 * kind.width, 2 * kind.height, paths(shown, variant))


@lru_cache(maxsize=64)
def start_board(variant: str, colours: tuple[str, ...]) -> str:
    """Return the board on which only the start cells of these colours are covered."""
    kind = VARIANTS[variant]
    cells = [FREE] * (kind.width * kind.height)
    for number, colour in enumerate(kind.colours):
        for cell in kind.start_cells[colour] if colour in (colours or kind.colours) else ():
            cells[cell] = str(number)
    return "".join(cells)
