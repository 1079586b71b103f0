"""The part of a board that is shown of a move: around it and a better one, as its reader's board lies."""

import pytest

from games.drawing.outline import CELL, plane_of
from games.drawing.part import LEAST, frame_around, part_at
from games.drawing.svg import FrameView, frame_view
from games.drawing.turned import turned_points
from games.rules import Placement, Position
from games.rules.geometry import Point
from games.rules.notation import format_column
from games.rules.variants import Variant

#: The names of the columns of the largest board, and how high they are beside it.
COLUMNS, LETTERS = [format_column(x) for x in range(35)], 9.2


def begun(variant: str, moves: int = 4) -> Position:
    """Return a game in which every move was the first that is possible."""
    position = Position.start(variant)
    for _ in range(moves):
        position = position.play(position.legal_placements()[0])
    return position


def view(text: str) -> tuple[int, int, int, int]:
    """Return left, top, width and height in cells."""
    left, top, width, height = (int(each) // CELL for each in text.split())
    return left, top, width, height


@pytest.mark.parametrize("quarters", [0, 1, 2, 3])
def test_the_first_moves_of_a_large_board_are_seen_in_a_quarter_of_it(quarters: int) -> None:
    position = begun("blockyou-4")
    turn = position.history[0]
    assert turn.placement
    part = part_at(position, 1, turn.placement, quarters)
    left, top, width, height = view(part.view)
    assert (width, height) == (LEAST, LEAST)
    for x, y in turned_points(turn.placement.points, "blockyou-4", quarters):
        assert left <= x < left + width
        assert top <= 19 - y < top + height
    assert part.pieces == ()


def test_a_better_placement_far_away_is_in_the_picture_too() -> None:
    position = begun("blockyou-4")
    far = [Placement.parse(f"1:{cell}", position.variant) for cell in ("a1", "t20")]
    assert all(len(placement.points) == 1 for placement in far)
    other = max(far, key=lambda placement: distance(placement.points[0], position))
    assert view(part_at(position, 1, other).view) == (0, 0, 20, 20)


def distance(point: Point, position: Position) -> int:
    """Return how far a point is from the first piece."""
    placement = position.history[0].placement
    assert placement
    return max(abs(point[axis] - placement.points[0][axis]) for axis in (0, 1))


def test_only_what_lay_there_before_the_move_is_drawn() -> None:
    position = begun("duo", 6)
    placement = position.history[4].placement
    assert placement
    part = part_at(position, 5, placement)
    assert [piece.number for piece in part.pieces] == [1, 2, 3, 4]
    assert part.played.number == 5
    assert part.other == part.played.path


@pytest.mark.parametrize("quarters", [0, 2])
@pytest.mark.parametrize("variant", ["trigon-2", "trigon-3"])
def test_of_a_board_of_triangles_too_the_part_around_the_move_is_seen(variant: str, quarters: int) -> None:
    position = begun(variant)
    placement = position.history[0].placement
    assert placement
    part = part_at(position, 1, placement, quarters)
    assert part.ground
    left, top, width, height = map(float, part.view.split())
    assert width == pytest.approx(height, abs=5)
    assert width < frame_view(variant).width * 0.6
    for x, y in corners_of(placement, position.variant, quarters):
        assert left <= x <= left + width
        assert top <= y <= top + height


@pytest.mark.parametrize("quarters", [0, 2])
def test_a_part_of_a_board_of_triangles_has_the_names_of_its_own_columns_and_rows(quarters: int) -> None:
    position = Position.start("trigon-4")
    seen = set()
    for placement in position.legal_placements():
        view, frame = frame_around((placement,), position.variant, LETTERS, quarters)
        left, top, width, height = map(float, view.split())
        for name, x in named(frame):
            column = COLUMNS.index(name)
            assert x == pytest.approx(6 * (column + 1) if not quarters else 216 - 6 * (column + 1), abs=0.2)
            assert left < x < left + width
            seen.add(name)
        rows = [row for row in range(1, 19) if top < 10.4 * (row - 0.5 if quarters else 18.5 - row) < top + height]
        assert frame.digits == "".join(map(str, rows))
        assert all(top < float(y) < top + height for y in frame.digits_y.split())
    # Some of two letters, of which no part has one alone.
    assert {"a", "ae"} <= seen


def named(frame: FrameView) -> list[tuple[str, float]]:
    """Return the names of the columns, each with its middle; the signs of one stand close to each other."""
    names: list[list[tuple[str, float]]] = []
    for sign, x in zip(frame.letters, map(float, frame.letters_x.split()), strict=True):
        if names and abs(x - names[-1][-1][1]) < frame.letter_size:
            names[-1].append((sign, x))
        else:
            names.append([(sign, x)])
    return [("".join(sign for sign, _ in name), (name[0][1] + name[-1][1]) / 2) for name in names]


def corners_of(placement: Placement, variant: Variant, quarters: int) -> list[tuple[float, float]]:
    """Return where the corners of a placement's cells are drawn, in units."""
    plane = plane_of(variant.grid.lattice)
    points = turned_points(placement.points, variant.id, quarters)
    spots = [plane.at(corner) for point in points for corner in variant.grid.lattice.outline(point)]
    return [(x, y + plane.row * variant.height) for x, y in spots]
