"""Boards drawn turned: their cells where a player sees them whose corner lies near. Numbers and glyphs stay upright."""

from collections.abc import Iterable
from functools import lru_cache

from games.rules.geometry import Point, Shape
from games.rules.variants import get_variant


def turned_points(points: Iterable[Point], variant_id: str, quarters: int) -> Shape:
    """Return where cells of a board lie when it is turned clockwise by quarters; the board is a square for odd ones."""
    variant = get_variant(variant_id)
    right, top = variant.width - 1, variant.height - 1
    match quarters % 4:
        case 1:
            return tuple((y, right - x) for x, y in points)
        case 2:
            return tuple((right - x, top - y) for x, y in points)
        case 3:
            return tuple((top - y, x) for x, y in points)
    return tuple(points)


def turned_cells(cells: Iterable[int], variant_id: str, quarters: int) -> tuple[int, ...]:
    """Return which cells, by index, these become when the board is turned clockwise by quarters."""
    if not quarters:
        return tuple(cells)
    become = _cells(variant_id, quarters)
    return tuple(become[cell] for cell in cells)


def turned_board(board: str, variant_id: str, quarters: int) -> str:
    """Return the text of a board after it was turned clockwise by quarters."""
    if not quarters or not board:
        return board
    # What lies on a cell now came from the one that a turn the other way leads to.
    return "".join(map(board.__getitem__, _cells(variant_id, -quarters % 4)))


@lru_cache(maxsize=64)
def _cells(variant_id: str, quarters: int) -> tuple[int, ...]:
    grid = get_variant(variant_id).grid
    return tuple(map(grid.index.__getitem__, turned_points(grid.points, variant_id, quarters)))
