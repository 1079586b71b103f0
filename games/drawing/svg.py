"""The board as a picture: values ready for the template, without names.

A picture lies the same for every viewer, or is drawn turned by quarters of a turn, clockwise: for a player whose own
board lies so (`games.queries.play.players`), where no script turns it. Glyphs, letters and numbers stay upright.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import ceil

from games.drawing import outline
from games.drawing.turned import turned_points
from games.rules import Placement, Position
from games.rules.geometry import SQUARES, Lattice
from games.rules.notation import format_column
from games.rules.pieces import Piece
from games.rules.variants import Variant, get_variant

#: Columns of cells that every icon of the tray has room for, and rows.
ICON_WIDTH, ICON_HEIGHT = 5, 3

#: How high letters and numbers are beside a board of 20, in units: beside one as wide as a page, beside one of half
#: that width, and, where they are fewer, on a phone.
LETTERS, LARGE_LETTERS, FEW_LETTERS = 3.4, 5.7, 7.6
#: Where they are fewer, the first column and row have theirs, and every fifth.
_FEW = 5
#: How far the letters of a column are from those of the next at least, in their heights: one letter, and two.
_ONE, _TWO = 1.4, 2.65
#: The columns that are named by one letter.
_ALPHABET = 26
#: How far the number of a row is from that of the next at least: digits are lower than letters may be.
_ROW = 0.85
#: How much of a start cell's width and height its mark takes.
_START = 0.8

#: How far below the middle of a sign its line is, in its heights.
_BASE = 0.35

#: By how many quarters a board is turned, and its width and height in units before that.
_Turn = tuple[int, float, float]

_RING = "m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0"


@dataclass(frozen=True)
class PieceView:
    """One placed piece: the number of its move, its colour, its outline and the glyphs in its cells."""

    number: int
    colour: str
    path: str
    glyphs: str


@dataclass(frozen=True)
class MarkView:
    """A path in a colour."""

    colour: str
    path: str


@dataclass(frozen=True)
class FrameView:
    """What is the same for every game of a variant: size in units, ground, lines, the letters and numbers beside it."""

    width: float
    height: float
    ground: str
    is_rectangle: bool
    grid: str
    letter_size: float
    letters: str
    letters_x: str
    letters_y: str
    digits: str
    digits_x: str
    digits_y: str


@dataclass(frozen=True)
class BoardView:
    """The picture of a position: pieces in the order of play, one path of glyphs a colour, the start cells still free.

    `last` is the outline of the piece placed last. `corners` are rings in the cells that one colour may reach out from.
    """

    frame: FrameView
    pieces: tuple[PieceView, ...]
    glyphs: tuple[MarkView, ...]
    starts: tuple[MarkView, ...]
    last: str
    corners: MarkView | None


def board_view(
    position: Position,
    corners_of: str | None = None,
    attach: Iterable[int] | None = None,
    apart: int = 0,
    quarters: int = 0,
) -> BoardView:
    """Return the picture; with a colour, also the corners it may reach out from.

    `attach` are these corners, for a caller who knows them already. The latest `apart` pieces are
    left out, for a caller who draws them apart. Corners are drawn upright alone.
    """
    pieces = pieces_of(position, quarters)
    pieces = pieces[: len(pieces) - apart]
    return BoardView(
        frame=frame_view(position.variant.id, quarters=quarters),
        pieces=pieces,
        glyphs=_glyphs(pieces),
        starts=start_marks(position, quarters),
        last=pieces[-1].path if pieces else "",
        corners=_corners(position, corners_of, attach) if corners_of else None,
    )


def pieces_of(position: Position, quarters: int = 0) -> tuple[PieceView, ...]:
    """Return every placed piece in the order of play, on a board that is turned by quarters."""
    variant_id = position.variant.id
    return tuple(
        [
            _piece(number, turn.colour or "", turn.placement, variant_id, quarters)
            for number, turn in enumerate(position.history, start=1)
            if turn.placement is not None
        ]
    )


def piece_view(number: int, colour: str, placement: Placement, variant_id: str, quarters: int = 0) -> PieceView:
    """Return a piece that does not lie on the board, as it would be drawn there."""
    return _piece(number, colour, placement, variant_id, quarters)


@lru_cache(maxsize=32768)
def _piece(number: int, colour: str, placement: Placement, variant_id: str, quarters: int) -> PieceView:
    grid = get_variant(variant_id).grid
    height, lattice = grid.height, grid.lattice
    points = turned_points(placement.points, variant_id, quarters)
    path = outline.piece_path(points, height, lattice)
    return PieceView(number, colour, path, outline.glyph_path(colour, points, height, lattice))


def _glyphs(pieces: Iterable[PieceView]) -> tuple[MarkView, ...]:
    paths: dict[str, list[str]] = {}
    for piece in pieces:
        paths.setdefault(piece.colour, []).append(piece.glyphs)
    return tuple(MarkView(colour, "".join(found)) for colour, found in paths.items())


def start_marks(position: Position, quarters: int = 0) -> tuple[MarkView, ...]:
    """Return the free start cells of colours that have yet to begin; those of several are marked once, in no colour.

    Rule: R3
    """
    variant, board = position.variant, position.board
    begun = {variant.colours[int(held)] for held in set(board) - {"."}}
    starts: dict[tuple[int, ...], list[str]] = {}
    for colour in position.colours_in_play:
        starts.setdefault(variant.start_cells[colour], []).append(colour)
    return tuple(
        MarkView(colours[0] if len(colours) == 1 else "", _start_path(variant, free, quarters))
        for cells, colours in starts.items()
        if not begun.issuperset(colours) and (free := [cell for cell in cells if board[cell] == "."])
    )


def _start_path(variant: Variant, cells: Iterable[int], quarters: int) -> str:
    """Return a mark a little smaller than the cell in each of them."""
    points = turned_points((variant.grid.points[cell] for cell in cells), variant.id, quarters)
    return outline.cells_path(points, variant.height, variant.grid.lattice, _START)


def _corners(position: Position, colour: str, attach: Iterable[int] | None) -> MarkView:
    """Return a small ring in every cell at a corner of the colour, without an edge to it."""
    grid = position.variant.grid
    plane, height = outline.plane_of(grid.lattice), grid.height
    cells = [grid.points[cell] for cell in (position.attach_points(colour) if attach is None else attach)]
    return MarkView(colour, "".join(plane.middle(point, height) + _RING for point in cells))


@lru_cache(maxsize=96)
def frame_view(variant_id: str, letters: float = LETTERS, quarters: int = 0) -> FrameView:
    """Return the frame of a variant's board, with letters so high beside it; `FEW_LETTERS` name every fifth line.

    On a board that is turned by quarters they stand at the sides where its columns and rows then end.
    """
    grid = get_variant(variant_id).grid
    plane, height = outline.plane_of(grid.lattice), grid.height
    width = plane.column * max(x for point in grid.points for x, _y in grid.lattice.outline(point))
    # Every board is shown as wide as there is room: its letters are as large as those of a board of 20.
    size = width / (20 * outline.CELL) * letters
    apart = size * (_TWO if grid.width > _ALPHABET else _ONE)
    columns = _named(grid.width, ceil(apart / plane.column), letters)
    rows = _named(height, ceil(_ROW * size / plane.row), letters)
    below, turn = plane.row * height + 1.18 * size, (quarters, width, plane.row * height)
    named = [placed for x in columns for placed in _letters(plane, x, below, size, turn)]
    digits = [placed for y in rows for placed in _digits(y + 1, plane.row * (height - y - 0.5), size, turn)]
    return FrameView(
        width=width,
        height=round(plane.row * height, 1),
        ground=outline.ground_path(grid),
        is_rectangle=grid.lattice == SQUARES,
        grid=outline.grid_path(grid),
        letter_size=round(size, 1),
        letters="".join(letter for letter, _x, _y in named),
        letters_x=" ".join(f"{round(x, 1):g}" for _letter, x, _y in named),
        # What stands in one row has its height once.
        letters_y=" ".join(f"{round(y, 1):g}" for _letter, _x, y in named) if quarters else f"{round(below, 1):g}",
        digits="".join(digit for digit, _x, _y in digits),
        digits_x=" ".join(f"{round(x, 1):g}" for _digit, x, _y in digits),
        digits_y=" ".join(f"{round(y, 1):g}" for _digit, _x, y in digits),
    )


def _named(count: int, step: int, letters: float) -> list[int]:
    """Return which of so many columns or rows are named, counted from 0."""
    if letters == FEW_LETTERS:
        return [0, *range(_FEW - 1, count, _FEW)]
    return list(range(0, count, step))


def _letters(plane: outline.Plane, x: int, below: float, size: float, turn: _Turn) -> list[tuple[str, float, float]]:
    """Return each letter of a column with its place, around the middle of the column's cells."""
    return _around(format_column(x), (plane.spot((x, 0))[0], below - _BASE * size), 0.56 * size, size, turn)


def _digits(number: int, y: float, size: float, turn: _Turn) -> list[tuple[str, float, float]]:
    """Return each digit of a row's number with its place left of the board, ones nearest to it."""
    text = str(number)
    return _around(text, (-size * (0.56 + 0.53 * (len(text) - 1) / 2), y), 0.53 * size, size, turn)


def _around(text: str, middle: outline.Spot, step: float, size: float, turn: _Turn) -> list[tuple[str, float, float]]:
    """Return each sign of a name with its place; the middle of the name is turned with the board."""
    quarters, width, height = turn
    dx, dy = middle[0] - width / 2, middle[1] - height / 2
    for _ in range(quarters):
        dx, dy = -dy, dx
    left, line = width / 2 + dx - step * (len(text) - 1) / 2, height / 2 + dy + _BASE * size
    return [(sign, left + step * index, line) for index, sign in enumerate(text)]


@dataclass(frozen=True)
class IconView:
    """A piece as it lies in the tray: an outline around (0, 0) in the middle."""

    name: str
    size: int
    path: str
    dx: float
    dy: float


@lru_cache(maxsize=64)
def icons(variant_id: str) -> Mapping[str, IconView]:
    """Return the icon of each piece, by name, larger pieces first."""
    variant = get_variant(variant_id)
    pieces = sorted(variant.pieces, key=lambda piece: -piece.size)
    return {piece.name: _icon(piece, variant.grid.lattice) for piece in pieces}


def _icon(piece: Piece, lattice: Lattice) -> IconView:
    plane = outline.plane_of(lattice)
    lying = min(piece.orientations, key=lambda shape: max(y for _, y in shape))
    rows = max(y for _, y in lying) + 1
    corners = [plane.at(vertex)[0] for point in lying for vertex in lattice.outline(point)]
    dx = (outline.CELL * ICON_WIDTH - min(corners) - max(corners)) / 2
    dy = (outline.CELL * ICON_HEIGHT - plane.row * rows) / 2
    return IconView(piece.name, piece.size, outline.piece_path(lying, rows, lattice), round(dx, 1), round(dy, 1))
