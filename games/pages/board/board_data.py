"""A position as a page carries it: data for look-ups.

The browser knows no rule and no shape: it looks up what stands here. A cell is a place in the box around the board,
counted from 0 (a1) row by row from the bottom.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NotRequired, TypedDict

from django.utils.safestring import SafeString, mark_safe

from games.drawing import outline
from games.rules import Position, errors
from games.rules.geometry import Grid, Lattice, Point, Shape
from games.rules.notation import format_column
from games.rules.pieces import Piece
from games.rules.placement import table_for
from games.rules.variants import Variant, get_variant
from games.words import sentences
from games.words.lessons import OF_REASON

#: Legal placements: piece -> orientation -> anchors, each as the distance from the one before.
LegalData = dict[str, dict[int, list[int]]]


class CheckData(TypedDict):
    """One reason why a placement may be refused, and the cells that decide it (as `bits` writes them).

    `wants` is "none" where a placement may cover none of the cells, "some" where it has to cover one of them. The
    sentence names the cells at fault as `%(cells)s`. `lesson` is the key of the lesson that shows why.
    """

    wants: str
    code: str
    cells: str
    sentence: str
    lesson: NotRequired[str]


class ColourData(TypedDict):
    """Where a colour can be placed, and what to look at, in this order, where it cannot."""

    legal: LegalData
    checks: list[CheckData]


class PositionData(TypedDict):
    """What the page of a player looks up: the colour to play, empty once the game is over, and the player's colours."""

    toPlay: str
    colours: dict[str, ColourData]


class KindData(TypedDict):
    """One way a cell may lie: its middle and its vertices, in units from the place of its point, y downward."""

    middle: list[float]
    vertices: list[list[float]]
    path: str


class PieceData(TypedDict):
    """The forms of a piece (cells as [x, y] from the anchor), and what belongs to each of them by its number.

    That is an outline to draw, and the number of the form that turning right, turning left or flipping makes of it.
    `lean` is what x + y of its anchors must be modulo the number of kinds.
    """

    forms: list[list[Point]]
    outlines: list[str]
    lean: list[int]
    right: Sequence[int]
    left: list[int]
    flip: Sequence[int]


class ShapesData(TypedDict):
    """The geometry of a variant, the same for every game.

    `column` and `row` are the width of a column and the height of a row in units. The kind of the cell (x, y) is
    x + y + `phase` modulo the number of kinds. `off` are the places of the box that are no cells, as `bits` does.
    """

    width: int
    height: int
    column: float
    row: float
    phase: int
    kinds: list[KindData]
    columns: list[str]
    off: str
    glyphs: dict[str, str]
    pieces: dict[str, PieceData]


#: What could end a script element early, written so that JSON still reads the same.
_ESCAPES = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


def script_json(data: object) -> SafeString:
    """Return data as JSON for a script element of the page."""
    return mark_safe(json.dumps(data, separators=(",", ":")).translate(_ESCAPES))  # noqa: S308  (escaped just here)


@dataclass(frozen=True)
class Reach:
    """The cells that decide where one colour may go: taken, beside its own edge, and those it has to reach one of."""

    colour: str
    taken: tuple[int, ...]
    beside: tuple[int, ...]
    attach: tuple[int, ...]

    @classmethod
    def of(cls, position: Position, colour: str) -> "Reach":
        """Return the cells that decide for this colour in this position."""
        taken = tuple([cell for cell, held in enumerate(position.board) if held != "."])
        return cls(colour, taken, position.beside_own(colour), position.attach_points(colour))


def position_data(position: Position, reach: Mapping[str, Reach]) -> PositionData:
    """Return what the page of a player of these colours looks up."""
    colours = {
        colour: ColourData(legal=legal_data(position, colour), checks=checks(position, cells))
        for colour, cells in reach.items()
    }
    return PositionData(toPlay=position.colour or "", colours=colours)


def legal_data(position: Position, colour: str) -> LegalData:
    """Return the legal placements of a colour."""
    return anchors_of(position.variant, position.legal_ids(colour))


def anchors_of(variant: Variant, ids: Iterable[int]) -> LegalData:
    """Return placements by their ids, ascending.

    The anchor is the cell at the lower left corner of the box around the piece.
    """
    table, width = table_for(variant), variant.width
    forms, form_of, base_of, stride = table.forms, table.form_of, table.base_of, table.stride
    left, below = table.grid.lattice.margin
    found: dict[int, list[int]] = {}
    for number in ids:
        row, column = divmod(base_of[number], stride)
        found.setdefault(form_of[number], []).append((row - below) * width + column - left)
    data: LegalData = {}
    for number, bases in found.items():
        form = forms[number]
        lean = _lean(form.shape)
        steps = [base - before for before, base in zip([-lean, *bases], bases, strict=False)]
        data.setdefault(table.pieces[form.piece].name, {})[form.orientation] = steps
    return data


def _lean(shape: Shape) -> int:
    """Return by how many columns the box around a form lies right of its (0, 0)."""
    return min(x for x, _y in shape)


def setting_data(position: Position, colour: str) -> PositionData:
    """Return what a page looks up that sets up a position: where pieces of a colour can lie, whatever they touch."""
    grid = position.variant.grid
    found = (
        (errors.OFF_BOARD, off_board(grid)),
        (errors.OVERLAP, bits(grid, [cell for cell, held in enumerate(position.board) if held != "."])),
    )
    data = ColourData(
        legal=anchors_of(position.variant, position.layable_ids(colour)),
        checks=[_check("none", code, cells) for code, cells in found if cells != "0"],
    )
    return PositionData(toPlay=colour, colours={colour: data})


def checks(position: Position, reach: Reach) -> list[CheckData]:
    """Return what to look at, in this order, where a piece does not fit."""
    contact = errors.NO_CORNER_CONTACT if position.last_piece(reach.colour) else errors.START_CELL
    grid = position.variant.grid
    found = (
        ("none", errors.OFF_BOARD, off_board(grid)),
        ("none", errors.OVERLAP, bits(grid, reach.taken)),
        ("none", errors.EDGE_CONTACT, bits(grid, reach.beside)),
        ("some", contact, bits(grid, reach.attach)),
    )
    return [_check(wants, code, cells) for wants, code, cells in found if code != errors.OFF_BOARD or cells != "0"]


def _check(wants: str, code: str, cells: str) -> CheckData:
    check = CheckData(wants=wants, code=code, cells=cells, sentence=str(sentences.REASONS[code]))
    if code in OF_REASON:
        check["lesson"] = OF_REASON[code]
    return check


@lru_cache(maxsize=32)
def off_board(grid: Grid) -> str:
    """Return the places of the box around the board that are no cells of it, as `bits` does."""
    held = sum(1 << y * grid.width + x for x, y in grid.points)
    return f"{held ^ (1 << grid.width * grid.height) - 1:x}"


def bits(grid: Grid, cells: Iterable[int]) -> str:
    """Return a set of cells as a hexadecimal number: bit n stands for cell n of the box."""
    number = 0
    for cell in cells_in_box(grid, cells):
        number |= 1 << cell
    return f"{number:x}"


def cells_in_box(grid: Grid, cells: Iterable[int]) -> Iterable[int]:
    """Return the places of cells in the box around the board, as the browser counts them."""
    points, width = grid.points, grid.width
    return (points[cell][1] * width + points[cell][0] for cell in cells)


@lru_cache(maxsize=64)
def shapes_json(variant_id: str) -> SafeString:
    """Return the geometry of a variant as JSON: the same for every game, so it is made once."""
    return script_json(shapes_data(variant_id))


def shapes_data(variant_id: str) -> ShapesData:
    """Return the geometry of a variant."""
    variant = get_variant(variant_id)
    lattice = variant.grid.lattice
    plane = outline.plane_of(lattice)
    return ShapesData(
        width=variant.width,
        height=variant.height,
        column=plane.column,
        row=plane.row,
        phase=lattice.kind((0, 0)),
        kinds=[_kind_data(plane, point) for point in outline.kind_points(lattice)],
        columns=[format_column(x) for x in range(variant.width)],
        off=off_board(variant.grid),
        glyphs={colour: outline.glyph(colour) for colour in variant.colours},
        pieces={piece.name: _piece_data(piece, lattice) for piece in variant.pieces},
    )


def _kind_data(plane: outline.Plane, point: Point) -> KindData:
    left, bottom = plane.at(point)
    spots = [plane.spot(point), *(plane.at(vertex) for vertex in plane.lattice.outline(point))]
    middle, *vertices = [[round(x - left, 2), round(y - bottom, 2)] for x, y in spots]
    path = outline.cell_commands(plane.lattice, plane.lattice.kind(point))
    return KindData(middle=middle, vertices=vertices, path=path)


def _piece_data(piece: Piece, lattice: Lattice) -> PieceData:
    numbers, leans = range(len(piece.orientations)), [_lean(form) for form in piece.orientations]
    return PieceData(
        forms=[[(x - lean, y) for x, y in form] for form, lean in zip(piece.orientations, leans, strict=True)],
        outlines=[outline.commands_of(form, lattice) for form in piece.orientations],
        lean=leans,
        right=piece.turns,
        left=[piece.turns.index(number) for number in numbers],
        flip=piece.flips,
    )
