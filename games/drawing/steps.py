"""Recent moves in a picture of a board: each piece by itself with its outline, and its number beside the glyphs."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import dist

from games.drawing import outline, svg
from games.drawing.turned import turned_points
from games.rules import Placement
from games.rules.geometry import Point, Shape
from games.rules.variants import Variant

#: How high the ground of a number is, in units, and how much wider each digit after the first makes it.
_HIGH, _DIGIT = 6.4, 3.2
#: How far the numbers of two pieces are apart at least.
_APART = 9


@dataclass(frozen=True)
class NumberView:
    """The number of a move on its piece: where its middle stands in units, and how wide its ground is."""

    number: int
    colour: str
    x: float
    y: float
    width: float

    @property
    def left(self) -> float:
        """Return where the ground begins beside its middle."""
        return -self.width / 2


@dataclass(frozen=True)
class RecentPiece:
    """A recent move: its piece, the number to show, which is None for the viewer's own move."""

    number: int
    piece: svg.PieceView
    mark: NumberView | None

    @property
    def is_mine(self) -> bool:
        """Return whether the viewer made this move."""
        return self.mark is None


def recent_pieces(
    variant: Variant, pieces: Iterable[tuple[int, Placement, svg.PieceView]], mine: int | None, quarters: int = 0
) -> tuple[RecentPiece, ...]:
    """Return the recent moves, the oldest first, from the numbers of the moves, what was placed and how it is drawn.

    `mine` is the number of the viewer's own move among them. They are drawn on a board that is turned by quarters.
    """
    taken: list[outline.Spot] = []
    turned = ((number, turned_points(placed.points, variant.id, quarters), piece) for number, placed, piece in pieces)
    return tuple(_step(variant, number, points, piece, mine, taken) for number, points, piece in turned)


def _step(
    variant: Variant,
    number: int,
    points: Shape,
    piece: svg.PieceView,
    mine: int | None,
    taken: list[outline.Spot],
) -> RecentPiece:
    if number == mine:
        return RecentPiece(number, piece, None)
    x, y = _spot(variant, points, taken)
    taken.append((x, y))
    width = _HIGH + _DIGIT * (len(str(number)) - 1)
    return RecentPiece(number, piece, NumberView(number, piece.colour, round(x, 1), round(y, 1), round(width, 1)))


def _spot(variant: Variant, points: Shape, taken: Iterable[outline.Spot]) -> outline.Spot:
    """Return the vertex where the number of a piece covers no glyph: one between as many of its cells as there is.

    Vertices at the edge of the board and near numbers that stand already come last.
    """
    plane = outline.plane_of(variant.grid.lattice)
    below = plane.row * variant.height
    right = _right_edge(variant)
    shared = Counter(vertex for point in points for vertex in variant.grid.lattice.outline(point))
    spots = {vertex: (x, below + y) for vertex in shared for x, y in [plane.at(vertex)]}
    middle = tuple(sum(spot[axis] for spot in spots.values()) / len(spots) for axis in (0, 1))

    def rank(vertex: Point) -> tuple[bool, bool, int, float, outline.Spot]:
        x, y = spots[vertex]
        is_near = any(dist((x, y), other) < _APART for other in taken)
        is_at_edge = not (0 < x < right and 0 < y < below)
        return is_near, is_at_edge, -shared[vertex], round(dist((x, y), middle), 3), (y, x)

    return spots[min(shared, key=rank)]


@lru_cache(maxsize=64)
def _right_edge(variant: Variant) -> float:
    """Return where the middles of the rightmost cells lie; to go through all cells was a fifth of a page."""
    return max(x for x, _y in map(outline.plane_of(variant.grid.lattice).spot, variant.grid.points))
