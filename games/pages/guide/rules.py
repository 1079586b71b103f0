"""The pictures of the rules page: small boards and the pieces, drawn from the rules themselves."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from django.utils.translation import gettext

from games.drawing import openings, outline
from games.drawing.svg import BoardView, IconView, MarkView, PieceView, board_view, icons
from games.pages.guide import choices
from games.pages.guide.choices import VariantChoice
from games.rules import VARIANTS, IllegalPlacement, Placement, Position, record
from games.rules.text import read_board
from games.words import boards
from games.words.boards import StartView

VARIANT = "blockyou-4"


@dataclass(frozen=True)
class Picture:
    """A board, or a part of it.

    `view` is the part to show; `has_outline` says that it is a whole board and no rectangle. `attempt` is a piece that
    is refused, `faults` crosses the cells at fault.
    """

    view: str
    ground: str
    has_outline: bool
    grid: str
    pieces: tuple[PieceView, ...]
    glyphs: tuple[MarkView, ...]
    starts: tuple[MarkView, ...]
    corners: str
    attempt: str = ""
    faults: str = ""


@dataclass(frozen=True)
class RulesPictures:
    """All pictures of the page."""

    pieces: tuple[IconView, ...]
    boards: Mapping[str, Picture]


@dataclass(frozen=True)
class BoardSection:
    """A board with its own rules: `template` tells them.

    `pieces` are drawn where the set differs from R1's, `contact` is what a corner is where cells are no squares.
    """

    key: str
    name: str
    players: str
    label: str
    picture: Picture
    starts: tuple[StartView, ...]
    pieces: tuple[IconView, ...]
    variants: tuple[VariantChoice, ...]
    contact: Picture | None
    template: str


FIRST = """
. . . . . .
. . . . . .
. . . . . .
B B . . . .
B . . . . .
B B . . . .
"""
CORNER = """
. . . . . .
. . . B . .
. . B B B .
B B . . . .
B . . . . .
B B . . . .
"""
OTHERS = """
. . . Y Y .
. . Y Y . .
. . Y B B B
B B B . . .
B . . . . .
B . . . . .
"""
#: What blue and yellow place first in the picture of the whole board.
FIRST_PIECES = ("W", "Y")
#: What blue tries to place beside its own piece, and may not.
ATTEMPT = "c2,c3,d3,d4"


@cache
def pictures() -> RulesPictures:
    """Return the pictures, drawn once."""
    boards = {
        "start": _first_turns(),
        "corner": _picture(CORNER, corners_of="blue"),
        "edge": _refused(FIRST, ATTEMPT),
        "others": _picture(OTHERS),
    }
    return RulesPictures(tuple(icons(VARIANT).values()), boards)


def sections() -> list[BoardSection]:
    """Return every board with its pictures, colours and variants."""
    return [_section(key, variants[0].id) for key, variants in boards.boards().items()]


def _section(key: str, variant_id: str) -> BoardSection:
    variant = VARIANTS[variant_id]
    name = boards.board_name(key)
    return BoardSection(
        key=key,
        name=name,
        players=boards.board_players(key),
        label=gettext("A %(name)s board after a few turns") % {"name": name},
        picture=_opening(variant_id),
        starts=tuple(boards.starts(variant)),
        pieces=()
        if (variant.numbered or variant.pieces) == VARIANTS[VARIANT].pieces
        else tuple(icons(variant_id).values()),
        variants=tuple(choices.variant_choices(variant_id)),
        contact=_contact(variant_id) if boards.is_triangular(variant) else None,
        template=f"games/rules/boards/{key}.html",
    )


@cache
def _opening(variant: str) -> Picture:
    return _whole(board_view(record.replay(variant, openings.OPENINGS[variant])))


@cache
def _contact(variant: str) -> Picture:
    """Return the first piece of a game, and the cells that may be reached from its corners."""
    first = Placement.parse(openings.OPENINGS[variant][0], variant)
    before = Position.start(variant)
    position, colour, grid = before.play(first), before.colour or "", before.variant.grid
    cells = [grid.points[cell] for cell in (*position.attach_points(colour), *first.cells)]
    plane = outline.plane_of(grid.lattice)
    corners = [plane.at(vertex) for point in cells for vertex in grid.lattice.outline(point)]
    left, right = min(x for x, _ in corners), max(x for x, _ in corners)
    top, bottom = (plane.row * grid.height + edge(y for _, y in corners) for edge in (min, max))
    view = f"{left - 2:g} {top - 2:.1f} {right - left + 4:g} {bottom - top + 4:.1f}"
    return replace(_whole(board_view(position, colour)), view=view, has_outline=False)


def _whole(board: BoardView) -> Picture:
    return replace(_shown(board, 0, 0), view=f"-1 -1 {board.frame.width + 2} {board.frame.height + 2}")


def _first_turns() -> Picture:
    """Return the whole board after the first turns of two colours; the others' start cells are still marked."""
    position = Position.start(VARIANT)
    for piece in FIRST_PIECES:
        position = position.play(next(each for each in position.legal_placements() if each.piece == piece))
    side = VARIANTS[VARIANT].height
    return _shown(board_view(position), side, side)


def _picture(drawing: str, corners_of: str | None = None) -> Picture:
    rows = drawing.strip().splitlines()
    board = board_view(read_board(drawing, VARIANT), corners_of)
    return _shown(board, len(rows[0].split()), len(rows))


def _shown(board: BoardView, width: int, height: int) -> Picture:
    """Return the lower left part of a board, `width` columns and `height` rows."""
    cell, side = outline.CELL, VARIANTS[VARIANT].height
    return Picture(
        view=f"-1 {cell * (side - height) - 1} {cell * width + 2} {cell * height + 2}",
        ground=board.frame.ground,
        has_outline=not board.frame.is_rectangle,
        grid=board.frame.grid,
        pieces=board.pieces,
        glyphs=board.glyphs,
        starts=board.starts,
        corners=board.corners.path if board.corners else "",
    )


def _refused(drawing: str, cells: str) -> Picture:
    """Return the drawing with a piece of blue's that the rules refuse, and the cells that they name."""
    position, attempt = read_board(drawing, VARIANT), Placement.parse(cells, VARIANT)
    try:
        position.check(attempt, "blue")
    except IllegalPlacement as refusal:
        faults = [cell for cells_at_fault in refusal.cells.values() for cell in cells_at_fault]
    variant, cell = VARIANTS[VARIANT], outline.CELL
    points = [variant.grid.points[number] for number in faults]
    return replace(
        _picture(drawing),
        attempt=outline.piece_path(attempt.points, variant.height),
        faults="".join(
            f"M{cell * x} {cell * (variant.height - 1 - y)}h10v10h-10zl10 10m0-10l-10 10" for x, y in points
        ),
    )
