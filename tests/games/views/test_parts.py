"""The part of a board that is shown of a move: around it and a better one, as its reader's board lies."""

import pytest

from games.drawing.outline import CELL
from games.drawing.part import LEAST, part_at
from games.drawing.turned import turned_points
from games.rules import Placement, Position
from games.rules.geometry import Point


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


def test_a_board_of_triangles_is_seen_as_a_whole() -> None:
    position = begun("trigon-2")
    placement = position.history[0].placement
    assert placement
    part = part_at(position, 1, placement)
    assert part.ground
    assert part.view.startswith("0 0 ")
