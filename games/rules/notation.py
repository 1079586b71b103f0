"""Cells and placements as text: `a1` is the lower left cell, columns after z are aa, ab, ….

Canonical text of a placement is `V3:a1,b1,a2`: name, colon, cells bottom row first, left to right.
People may also type `V3 a1,b1,a2` or the cells alone, in any order and in any case.
"""

import re
from collections.abc import Iterable, Mapping

from games.rules.errors import UnreadablePlacement
from games.rules.geometry import Point, Shape, row_by_row

#: No text of a placement is longer; what is longer is not read at all.
LONGEST_PLACEMENT = 200

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_CELL = re.compile(r"([A-Za-z]{1,2})([1-9][0-9]?)(?![A-Za-z0-9])")
_SPACE = re.compile(r"[ \t]*")
_COMMA = re.compile(r"[ \t]*,[ \t]*")
_NAME = re.compile(r"[ \t]*([A-Za-z0-9]{1,8})(?:[ \t]*:|[ \t]+(?=[A-Za-z]))[ \t]*")


def format_column(x: int) -> str:
    """Return the letters of a column counted from 0: a … z, aa, ab, …."""
    letters = ""
    x += 1
    while x:
        x, last = divmod(x - 1, 26)
        letters = _LETTERS[last] + letters
    return letters


def format_cell(point: Point) -> str:
    """Return the name of a cell, such as a1 for (0, 0)."""
    return f"{format_column(point[0])}{point[1] + 1}"


def format_cells(points: Iterable[Point]) -> str:
    """Return the names of the cells, bottom row first, joined by commas."""
    return ",".join(format_cell(point) for point in row_by_row(points))


def format_placement(piece: str, points: Iterable[Point]) -> str:
    """Return the canonical text of a placement; the cells alone where no piece is named."""
    cells = format_cells(points)
    return f"{piece}:{cells}" if piece else cells


def parse_cell(text: str) -> Point:
    """Return the point that a name such as `a1` stands for, on the board or beyond it.

    Raises:
        UnreadablePlacement: the text is no name of a cell.

    """
    points = _parse_cells(text, 0)
    if len(points) > 1:
        raise UnreadablePlacement(text.index(","), "one cell only")
    return points[0]


def parse_placement(text: str, names: Iterable[str]) -> tuple[str, Shape]:
    """Return the piece named (or an empty text) and the cells, bottom row first.

    `names` are the pieces that may be named, in any case of letters. Whether the cells exist, form
    that piece, or any piece, is not checked.

    Raises:
        UnreadablePlacement: the text is no placement.

    """
    if not isinstance(text, str):
        raise UnreadablePlacement(0, "a text")
    if len(text) > LONGEST_PLACEMENT:
        raise UnreadablePlacement(
            LONGEST_PLACEMENT, "the end: no move is longer than %(most)d characters", most=LONGEST_PLACEMENT
        )
    name, start = _parse_name(text, {name.lower(): name for name in names})
    return name, row_by_row(_parse_cells(text, start))


def _parse_name(text: str, names: Mapping[str, str]) -> tuple[str, int]:
    """Return the piece named at the start, if one is, and where the cells begin."""
    found = _NAME.match(text)
    if found is None:
        return "", 0
    name = names.get(found[1].lower())
    if name is None:
        raise UnreadablePlacement(found.start(1), "the name of a piece: %(names)s", names=", ".join(names.values()))
    return name, found.end()


def _parse_cells(text: str, start: int) -> list[Point]:
    """Return the points of a comma-separated list that ends with the text."""
    points: list[Point] = []
    offset = _skip(_SPACE, text, start)
    while True:
        found = _CELL.match(text, offset)
        if found is None:
            raise UnreadablePlacement(
                offset, "a cell such as a1: one or two letters for the column, then the row from 1 to 99"
            )
        point = (_parse_column(found[1]), int(found[2]) - 1)
        if point in points:
            raise UnreadablePlacement(offset, "each cell once, but %(cell)s is given twice", cell=found[0].lower())
        points.append(point)
        offset = _skip(_SPACE, text, found.end())
        if offset == len(text):
            return points
        comma = _COMMA.match(text, offset)
        if comma is None:
            raise UnreadablePlacement(offset, "a comma or the end")
        offset = comma.end()


def _parse_column(letters: str) -> int:
    """Return the column, counted from 0, that one or two letters name."""
    x = 0
    for letter in letters.lower():
        x = 26 * x + _LETTERS.index(letter) + 1
    return x - 1


def _skip(pattern: re.Pattern[str], text: str, offset: int) -> int:
    """Return the offset after what the pattern matches, which may be nothing."""
    found = pattern.match(text, offset)
    return found.end() if found else offset
