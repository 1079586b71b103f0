"""The board as a picture: values ready for the template, no names of people, nothing about who looks."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from games.queries import outline
from games.rules import VARIANTS, Placement, Position
from games.rules.notation import format_column
from games.rules.pieces import Piece
from games.rules.placement import table_for
from games.rules.variants import Variant

#: Columns of cells that every icon of the tray has room for, and rows.
ICON_WIDTH, ICON_HEIGHT = 5, 3

_RING = "m3 5a2 2 0 1 0 4 0a2 2 0 1 0-4 0"


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
    """What is the same for every game of a variant: size in units, lines, and the letters and numbers beside it."""

    width: int
    height: int
    grid: str
    letters: str
    letters_x: str
    letters_y: int
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


def board_view(position: Position, corners_of: str | None = None, attach: Iterable[int] | None = None) -> BoardView:
    """Return the picture; with a colour, also the corners it may reach out from.

    `attach` are these corners, for a caller who knows them already.
    """
    pieces = pieces_of(position)
    return BoardView(
        frame=frame_view(position.variant.id),
        pieces=pieces,
        glyphs=_glyphs(pieces),
        starts=_starts(position),
        last=pieces[-1].path if pieces else "",
        corners=_corners(position, corners_of, attach) if corners_of else None,
    )


def pieces_of(position: Position) -> tuple[PieceView, ...]:
    """Return every placed piece in the order of play."""
    height = position.variant.height
    return tuple(
        [
            _piece(number, turn.colour or "", turn.placement, height)
            for number, turn in enumerate(position.history, start=1)
            if turn.placement is not None
        ]
    )


@lru_cache(maxsize=32768)
def _piece(number: int, colour: str, placement: Placement, height: int) -> PieceView:
    points = placement.points
    return PieceView(number, colour, outline.piece_path(points, height), outline.glyph_path(colour, points, height))


def _glyphs(pieces: Iterable[PieceView]) -> tuple[MarkView, ...]:
    paths: dict[str, list[str]] = {}
    for piece in pieces:
        paths.setdefault(piece.colour, []).append(piece.glyphs)
    return tuple(MarkView(colour, "".join(found)) for colour, found in paths.items())


def _starts(position: Position) -> tuple[MarkView, ...]:
    variant, board = position.variant, position.board
    return tuple(
        MarkView(colour, _squares(variant, free))
        for colour in position.colours_in_play
        if (free := [cell for cell in variant.start_cells[colour] if board[cell] == "."])
    )


def _squares(variant: Variant, cells: Iterable[int]) -> str:
    """Return a square a little smaller than the cell in each of them."""
    points, height = variant.grid.points, variant.height
    return "".join(
        f"M{outline.CELL * x + 1} {outline.CELL * (height - 1 - y) + 1}h8v8h-8z" for x, y in (points[c] for c in cells)
    )


def _corners(position: Position, colour: str, attach: Iterable[int] | None) -> MarkView:
    """Return a small ring in every cell at a corner of the colour, without an edge to it."""
    points, height = position.variant.grid.points, position.variant.height
    cells = [points[cell] for cell in (position.attach_points(colour) if attach is None else attach)]
    rings = "".join(f"M{outline.CELL * x} {outline.CELL * (height - 1 - y)}{_RING}" for x, y in cells)
    return MarkView(colour, rings)


@lru_cache(maxsize=8)
def frame_view(variant_id: str) -> FrameView:
    """Return the frame of a variant's board."""
    variant = VARIANTS[variant_id]
    cell, half = outline.CELL, outline.CELL // 2
    rows = [(number, cell * (variant.height - number) + half + 1.2) for number in range(1, variant.height + 1)]
    digits = [placed for number, y in rows for placed in _digits(number, y)]
    return FrameView(
        width=cell * variant.width,
        height=cell * variant.height,
        grid=outline.grid_path(variant.width, variant.height),
        letters="".join(format_column(x) for x in range(variant.width)),
        letters_x=" ".join(str(cell * x + half) for x in range(variant.width)),
        letters_y=cell * variant.height + 4,
        digits="".join(digit for digit, _x, _y in digits),
        digits_x=" ".join(f"{x:g}" for _digit, x, _y in digits),
        digits_y=" ".join(f"{y:g}" for _digit, _x, y in digits),
    )


def _digits(number: int, y: float) -> list[tuple[str, float, float]]:
    """Return each digit of a row's number with its place left of the board, ones nearest to it."""
    text = str(number)
    return [(digit, -1.9 - 1.8 * (len(text) - 1 - place), y) for place, digit in enumerate(text)]


@dataclass(frozen=True)
class IconView:
    """A piece as it lies in the tray: an outline around (0, 0) in the middle."""

    name: str
    size: int
    path: str
    dx: float
    dy: float


def pieces_among(variant: Variant, ids: Iterable[int]) -> frozenset[str]:
    """Return the names of the pieces that these placements place."""
    table = table_for(variant)
    forms = {table.form_of[number] for number in ids}
    return frozenset(variant.pieces[table.forms[form].piece].name for form in forms)


@lru_cache(maxsize=8)
def icons(variant_id: str) -> Mapping[str, IconView]:
    """Return the icon of each piece, by name, larger pieces first."""
    pieces = sorted(VARIANTS[variant_id].pieces, key=lambda piece: -piece.size)
    return {piece.name: _icon(piece) for piece in pieces}


def _icon(piece: Piece) -> IconView:
    lying = min(piece.orientations, key=lambda shape: max(y for _, y in shape))
    columns, rows = max(x for x, _ in lying) + 1, max(y for _, y in lying) + 1
    dx, dy = outline.CELL * (ICON_WIDTH - columns) / 2, outline.CELL * (ICON_HEIGHT - rows) / 2
    return IconView(piece.name, piece.size, outline.piece_path(lying, rows), dx, dy)
