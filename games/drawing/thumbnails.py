"""A board as a small picture: one path a colour.

On squares a path is a set of straight strokes two units wide in a picture of two units a cell, so that every number is
whole and a stroke is a rectangle of cells: rows of two cells or more first, then what is left as columns. Other cells
are filled, a run of them in a row as one shape of four corners.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from games.drawing import outline
from games.drawing.turned import turned_board, turned_cells
from games.rules.geometry import SQUARES, Grid, Point
from games.rules.variants import Variant, get_variant

#: A board's colours and paths.
Paths = tuple[tuple[str, str], ...]

_ROW = re.compile(r"([^.\n])\1+")
_COLUMN = re.compile(r"([^.\n])\1*")


@dataclass(frozen=True)
class Thumbnail:
    """A small picture of a board, for `games/_thumb.html`. `free` outlines what is still to be taken.

    `ground` is the board's own outline where that is no rectangle; the paths are filled then, not strokes. A part of a
    board begins at `left` and `top`. `marks` are pieces to be outlined: the colour, the edge and the cells of each.
    """

    width: float
    height: float
    paths: Paths
    free: str = ""
    ground: str = ""
    left: float = 0
    top: float = 0
    marks: tuple[tuple[str, str, str], ...] = ()


@lru_cache(maxsize=2048)
def paths(board: str, variant_id: str) -> Paths:
    """Return the path of each colour that covers a cell, in the variant's order. Nothing for an empty text."""
    variant = get_variant(variant_id)
    if variant.grid.lattice != SQUARES:
        return _filled(variant, board)
    width, height = variant.width, len(board) // variant.width
    top = 2 * variant.height - 1
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
    return tuple((variant.colours[int(number)], "".join(strokes[number])) for number in sorted(strokes))


def _filled(variant: Variant, board: str) -> Paths:
    """Return a path for each colour that fills its cells, run after run."""
    shapes: dict[str, list[str]] = {}
    cells = list(zip(variant.grid.points, board, strict=False))
    for (held, _row), run in groupby(cells, key=lambda cell: (cell[1], cell[0][1])):
        if held != ".":
            shapes.setdefault(held, []).append(_run_path(variant.grid, [point for point, _held in run]))
    return tuple((variant.colours[int(number)], "".join(shapes[number])) for number in sorted(shapes))


def _run_path(grid: Grid, run: list[Point]) -> str:
    """Return the shape of neighbouring cells in one row: from the lower left corner around by the right."""
    row = run[0][1]
    vertices = {vertex for point in (run[0], run[-1]) for vertex in grid.lattice.outline(point)}
    low, high = ([x for x, y in vertices if y == at] for at in (row, row + 1))
    corners = [(min(low), row), (max(low), row), (max(high), row + 1), (min(high), row + 1)]
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in dict.fromkeys(_spots(grid, corners))) + "z"


def _spots(grid: Grid, vertices: list[Point]) -> Iterator[tuple[float, float]]:
    """Yield where vertices lie in the picture."""
    plane = outline.plane_of(grid.lattice)
    for x, y in vertices:
        yield 2 * x, round(2 * plane.row / plane.column * (grid.height - y), 1)


@lru_cache(maxsize=64)
def _size(variant_id: str) -> tuple[float, float]:
    """Return the width and the height of the picture."""
    variant = get_variant(variant_id)
    corner = max(x for point in variant.grid.points for x, _y in variant.grid.lattice.outline(point))
    ((width, height),) = _spots(variant.grid, [(corner, 0)])
    return width, height


@lru_cache(maxsize=64)
def _ground(variant_id: str) -> str:
    """Return the outline of a board that is no rectangle, else nothing."""
    variant = get_variant(variant_id)
    if variant.grid.lattice == SQUARES:
        return ""
    rows = [[point for point in variant.grid.points if point[1] == y] for y in range(variant.height)]
    return "".join(_run_path(variant.grid, row) for row in rows)


def thumbnail(board: str, variant_id: str, quarters: int = 0) -> Thumbnail:
    """Return the picture of a board, turned clockwise by quarters."""
    shown = paths(turned_board(board, variant_id, quarters), variant_id)
    return Thumbnail(*_size(variant_id), shown, ground=_ground(variant_id))


def close_up(board: str, variant_id: str) -> Thumbnail:
    """Return the square part of a board of squares in which its pieces lie, with a cell around them."""
    variant = get_variant(variant_id)
    taken = [point for point, held in zip(variant.grid.points, board, strict=True) if held != "."]
    left, low = (min(point[axis] for point in taken) - 1 for axis in (0, 1))
    right, high = (max(point[axis] for point in taken) + 2 for axis in (0, 1))
    side = max(right - left, high - low)
    left, low = max(0, min(left, variant.width - side)), max(0, min(low, variant.height - side))
    top = variant.height - low - side
    return Thumbnail(2 * side, 2 * side, paths(board, variant_id), left=2 * left, top=2 * top)


def mark_path(cells: Iterable[int], colour: str, variant_id: str, quarters: int = 0) -> str:
    """Return the path of a few cells, by index, in a picture of this colour that is turned by quarters."""
    variant = get_variant(variant_id)
    number, marked = str(variant.colour_number(colour)), frozenset(turned_cells(cells, variant_id, quarters))
    board = "".join(number if cell in marked else "." for cell in range(variant.cell_count))
    ((_colour, path),) = paths(board, variant_id)
    return path


def edge_path(cells: Iterable[int], colour: str, variant_id: str, quarters: int = 0) -> str:
    """Return the outline of each of a few cells, by index, to be drawn below their `mark_path` as its edge."""
    variant = get_variant(variant_id)
    if variant.grid.lattice != SQUARES:
        return mark_path(cells, colour, variant_id, quarters)
    points = (variant.grid.points[cell] for cell in turned_cells(cells, variant_id, quarters))
    return "".join(f"M{2 * x} {2 * (variant.height - 1 - y)}h2v2h-2z" for x, y in points)


@lru_cache(maxsize=256)
def table_thumbnail(variant_id: str, taken: tuple[str, ...], free: tuple[str, ...]) -> Thumbnail:
    """Return the picture of a table before the game: a block at each colour's start, outlined where a seat is free."""
    variant, ground = get_variant(variant_id), _ground(variant_id)
    blocks = tuple((colour, _block(variant, colour, is_outline=bool(ground))) for colour in taken)
    outlines = "".join(_block(variant, colour, is_outline=True) for colour in free)
    return Thumbnail(*_size(variant_id), blocks, outlines, ground)


def _block(variant: Variant, colour: str, *, is_outline: bool) -> str:
    """Return a square around the colour's start cell, or one of them for each colour: its rows, or its border."""
    (width, height), starts = _size(variant.id), variant.start_cells[colour]
    side = int(min(width, height)) // (6 if len(starts) == 1 else 8)
    start = variant.grid.points[starts[variant.colour_number(colour) % len(starts)]]
    ((x, _at), (_, above)) = _spots(variant.grid, [start, (start[0], start[1] + 1)])
    left, top = (
        2 * int(min(max(1, at // 2 - side // 2), size // 2 - side - 1)) for at, size in ((x, width), (above, height))
    )
    if is_outline:
        return f"M{left + 1} {top + 1}h{2 * side - 2}v{2 * side - 2}h-{2 * side - 2}z"
    return "".join(f"M{left} {top + row}h{2 * side}" for row in range(1, 2 * side, 2))
