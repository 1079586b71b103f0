"""A part of a board: the cells that something is said about, and what lies around them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

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


def frame_around(
    placements: Iterable[Placement], variant: Variant, letters: float, quarters: int = 0
) -> tuple[str, svg.FrameView]:
    """Return the view of a square part of a board of squares around some placements, and the frame with its names.

    The columns and rows of that part are named at its own sides, in letters as high as `svg.frame_view` has them beside
    a whole board of that size. Of a board that is no rectangle it is all.
    """
    points = [point for one in placements for point in turned_points(one.points, variant.id, quarters)]
    whole = svg.frame_view(variant.id, letters, quarters)
    if not whole.is_rectangle:
        return f"0 0 {whole.width:g} {whole.height:g}", whole
    view = _square_around(points, variant)
    left, top, side, _ = map(int, view.split())
    frame = svg.frame_view(variant.id, letters * side / whole.width, quarters)
    names = _moved_in(frame.letters, frame.letters_x, frame.letters_y, whole, (left, top, side))
    digits = _moved_in(frame.digits, frame.digits_x, frame.digits_y, whole, (left, top, side))
    return view, replace(
        frame,
        letters=names[0],
        letters_x=names[1],
        letters_y=names[2],
        digits=digits[0],
        digits_x=digits[1],
        digits_y=digits[2],
    )


def _moved_in(signs: str, across: str, down: str, whole: svg.FrameView, part: tuple[int, int, int]) -> list[str]:
    """Return the signs beside a board that name what lies in a part of it, and where they stand beside that part."""
    left, top, side = part
    heights = down.split() * (len(signs) if " " not in down else 1)
    kept: list[tuple[str, float, float]] = []
    for sign, x, y in zip(signs, map(float, across.split()), map(float, heights), strict=True):
        if 0 <= x <= whole.width:
            if left < x < left + side:
                kept.append((sign, x, y + top if y < whole.height / 2 else y - whole.height + top + side))
        elif top < y < top + side:
            kept.append((sign, x + left if x < 0 else x - whole.width + left + side, y))
    return [
        "".join(sign for sign, _x, _y in kept),
        " ".join(f"{round(x, 1):g}" for _sign, x, _y in kept),
        " ".join(f"{round(y, 1):g}" for _sign, _x, y in kept),
    ]


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
