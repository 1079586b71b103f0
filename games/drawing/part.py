"""A part of a board: the cells that something is said about, and what lies around them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from games.drawing import outline, svg
from games.drawing.turned import turned_points
from games.rules import Placement, Position
from games.rules.geometry import Lattice, Point
from games.rules.variants import Variant

#: How many squares wide a part is at least, or so wide and high in triangles: the eye finds its place on the board, and
#: its pieces can be told apart.
LEAST = 10
#: Signs beside a board belong to one name if they are closer to each other than this, in their heights.
_APART = 0.6

#: Left, top, width and height of a part, in units.
_Part = tuple[float, float, float, float]
#: A letter or a digit beside a board, and where it stands.
_Sign = tuple[str, float, float]


@dataclass(frozen=True)
class PartView:
    """The part in which a move was played, before it, and another placement was possible.

    `view` is what is seen of the picture; `pieces` were placed before the move. `ground` is the outline of a board that
    is no rectangle.
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
        view=_text(_part_around(around, variant)),
        ground="" if frame.is_rectangle else frame.ground,
        grid=frame.grid,
        pieces=tuple(piece for piece in pieces if piece.number < number),
        played=played,
        other=outline.piece_path(meant, variant.height, variant.grid.lattice),
    )


def frame_around(
    placements: Iterable[Placement], variant: Variant, letters: float, quarters: int = 0
) -> tuple[str, svg.FrameView]:
    """Return the view of a part of a board around some placements, about a square, and the frame with its names.

    The columns and rows of that part are named at its own sides, in letters as high as `svg.frame_view` has them beside
    a whole board of that size.
    """
    points = [point for one in placements for point in turned_points(one.points, variant.id, quarters)]
    part = _part_around(points, variant)
    whole = svg.frame_view(variant.id, letters, quarters)
    frame = svg.frame_view(variant.id, letters * part[2] / whole.width, quarters)
    names = _moved_in(frame.letters, frame.letters_x, frame.letters_y, frame, part)
    digits = _moved_in(frame.digits, frame.digits_x, frame.digits_y, frame, part)
    return _text(part), replace(
        frame,
        letters=names[0],
        letters_x=names[1],
        letters_y=names[2],
        digits=digits[0],
        digits_x=digits[1],
        digits_y=digits[2],
    )


def _moved_in(signs: str, across: str, down: str, whole: svg.FrameView, part: _Part) -> list[str]:
    """Return the signs beside a board that name what lies in a part of it, and where they stand beside that part."""
    left, top, width, height = part
    kept: list[_Sign] = []
    for name in _names(signs, across, down, _APART * whole.letter_size):
        (_, first_x, first_y), (_, last_x, last_y) = name[0], name[-1]
        x, y = (first_x + last_x) / 2, (first_y + last_y) / 2
        if 0 <= x <= whole.width:
            dx, dy = 0.0, top if y < whole.height / 2 else top + height - whole.height
            is_beside = left < x < left + width
        else:
            dx, dy = left if x < 0 else left + width - whole.width, 0.0
            is_beside = top < y < top + height
        if is_beside:
            kept += [(sign, x + dx, y + dy) for sign, x, y in name]
    return [
        "".join(sign for sign, _x, _y in kept),
        " ".join(f"{round(x, 1):g}" for _sign, x, _y in kept),
        " ".join(f"{round(y, 1):g}" for _sign, _x, y in kept),
    ]


def _names(signs: str, across: str, down: str, apart: float) -> list[list[_Sign]]:
    """Return the signs beside a board name by name: those of one name stand in one line, closer to each other."""
    heights = down.split() * (len(signs) if " " not in down else 1)
    names: list[list[_Sign]] = []
    for sign, x, y in zip(signs, map(float, across.split()), map(float, heights), strict=True):
        if names and names[-1][-1][2] == y and abs(names[-1][-1][1] - x) < apart:
            names[-1].append((sign, x, y))
        else:
            names.append([(sign, x, y)])
    return names


def _part_around(points: Iterable[Point], variant: Variant) -> _Part:
    """Return the part of a board with some cells in its middle, in whole columns and rows, as far as the board goes.

    It is a square of squares, and of triangles as nearly one as their columns and rows allow.
    """
    lattice = variant.grid.lattice
    plane = outline.plane_of(lattice)
    steps = (plane.column, plane.row)
    around, board = _spans(points, lattice), _spans(variant.grid.points, lattice)
    needed = [high - low + 2 * beside for (low, high), beside in zip(around, lattice.margin, strict=True)]
    side = max(LEAST * outline.CELL, *(count * step for count, step in zip(needed, steps, strict=True)))
    counts = [min(round(side / step), end) for step, (_, end) in zip(steps, board, strict=True)]
    left, low = (
        max(0, min((least + most - count) // 2, end - count))
        for (least, most), count, (_, end) in zip(around, counts, board, strict=True)
    )
    top = board[1][1] - low - counts[1]
    return plane.column * left, plane.row * top, plane.column * counts[0], plane.row * counts[1]


def _spans(points: Iterable[Point], lattice: Lattice) -> list[tuple[int, int]]:
    """Return from which column to which some cells reach, and from which row to which, by their vertices."""
    corners = [corner for point in points for corner in lattice.outline(point)]
    return [(min(axis), max(axis)) for axis in zip(*corners, strict=True)]


def _text(part: _Part) -> str:
    """Return a part as the view of a picture."""
    return " ".join(f"{each:g}" for each in part)
