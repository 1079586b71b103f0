"""The pictures of the rules page: small boards and the pieces, drawn from the rules themselves."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from django.utils.translation import gettext

from games.queries import boards, outline
from games.queries.boards import StartView, VariantChoice
from games.queries.drawing import BoardView, IconView, MarkView, PieceView, board_view, icons
from games.rules import VARIANTS, IllegalPlacement, Placement, Position, record
from games.rules.text import read_board

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
    """Everything that the page shows besides words."""

    pieces: tuple[IconView, ...]
    boards: Mapping[str, Picture]


@dataclass(frozen=True)
class Section:
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


def sections() -> list[Section]:
    """Return every board with what it shows besides its own rules."""
    return [_section(key, kinds[0].id) for key, kinds in boards.boards().items()]


def _section(key: str, variant: str) -> Section:
    kind = VARIANTS[variant]
    name = boards.board_name(key)
    return Section(
        key=key,
        name=name,
        players=boards.board_players(key),
        label=gettext("A board of %(name)s after some turns") % {"name": name},
        picture=_opening(variant),
        starts=tuple(boards.starts(kind)),
        pieces=() if (kind.numbered or kind.pieces) == VARIANTS[VARIANT].pieces else tuple(icons(variant).values()),
        variants=tuple(boards.variant_choices(variant)),
        contact=_contact(variant) if boards.is_triangular(kind) else None,
        template=f"games/rules/boards/{key}.html",
    )


@cache
def _opening(variant: str) -> Picture:
    """Return the whole board after the first turns of a game."""
    return _whole(board_view(record.replay(variant, boards.OPENINGS[variant])))


@cache
def _contact(variant: str) -> Picture:
    """Return the first piece of a game, and the cells that may be reached from its corners."""
    first = Placement.parse(boards.OPENINGS[variant][0], variant)
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
    """Return so many columns and rows of a board."""
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
    kind, cell = VARIANTS[VARIANT], outline.CELL
    points = [kind.grid.points[number] for number in faults]
    return replace(
        _picture(drawing),
        attempt=outline.piece_path(attempt.points, kind.height),
        faults="".join(f"M{cell * x} {cell * (kind.height - 1 - y)}h10v10h-10zl10 10m0-10l-10 10" for x, y in points),
    )
