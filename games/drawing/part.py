"""A part of a board: the cells that something is said about, and what lies around them."""

from collections.abc import Iterable
from dataclasses import dataclass

from games.drawing import outline, svg
from games.drawing.turned import turned_points
from games.rules import Placement, Position
from games.rules.geometry import Point
from games.rules.variants import Variant

#: How many cells wide a part is at least: the eye finds its place on the board, and its pieces can be told apart.
LEAST = 10


@dataclass(frozen=True)
class PartView:
    """The part in which a move was played, before it, and another placement was possible.

    `view` is what is seen of the picture; `pieces` were placed before the move. `ground` is the outline of a board that
    is no rectangle, of which all is seen.
    """

    view: str
    ground: str
    grid: str
    pieces: tuple[svg.PieceView, ...]
    played: svg.PieceView
    other: str


def part_at(position: Position, number: int, other: Placement, quarters: int = 0) -> PartView:
    """Return the part around the move of this number, from 1, and another placement; drawn turned by quarters."""
    variant = position.variant
    frame = svg.frame_view(variant.id, quarters=quarters)
    pieces = svg.pieces_of(position, quarters)
    played = next(piece for piece in pieces if piece.number == number)
    placement = position.history[number - 1].placement
    meant = turned_points(other.points, variant.id, quarters)
    around = (*turned_points(placement.points if placement else (), variant.id, quarters), *meant)
    return PartView(
        view=_square_around(around, variant) if frame.is_rectangle else f"0 0 {frame.width} {frame.height}",
        ground="" if frame.is_rectangle else frame.ground,
        grid=frame.grid,
        pieces=tuple(piece for piece in pieces if piece.number < number),
        played=played,
        other=outline.piece_path(meant, variant.height, variant.grid.lattice),
    )


def _square_around(points: Iterable[Point], variant: Variant) -> str:
    """Return the square with some cells of a board of squares in its middle, as far as the board goes."""
    columns, rows = zip(*points, strict=True)
    side = max(LEAST, *(max(axis) - min(axis) + 3 for axis in (columns, rows)))
    side = min(side, variant.width, variant.height)
    left, low = (
        max(0, min((min(axis) + max(axis) + 1 - side) // 2, size - side))
        for axis, size in ((columns, variant.width), (rows, variant.height))
    )
    return " ".join(str(outline.CELL * each) for each in (left, variant.height - low - side, side, side))
