"""Lattices and boards: which points exist, which share an edge, which share only a corner.

A point is `(x, y)`: columns from the left, rows from the bottom, both from 0. A lattice knows the
plane, a grid knows one board on it. Pieces, placements and the engine above ask only these two, so
another lattice needs no change there.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

Point = tuple[int, int]
Shape = tuple[Point, ...]


def row_by_row(points: Iterable[Point]) -> Shape:
    """Return the points in reading order of the board: bottom row first, left to right."""
    return tuple(sorted(points, key=lambda point: (point[1], point[0])))


class Lattice(Protocol):
    """A plane cut into equal cells."""

    def edge_neighbours(self, point: Point) -> Shape:
        """Return the points that share a side with this one, on any board or none."""

    def corner_neighbours(self, point: Point) -> Shape:
        """Return the points that share a corner with this one but no side."""

    def normalise(self, points: Iterable[Point]) -> Shape:
        """Return the shape moved as near to (0, 0) as its kind of move allows, row by row."""

    def turn(self, points: Iterable[Point]) -> Shape:
        """Return the shape after the smallest clockwise turn, normalised."""

    def flip(self, points: Iterable[Point]) -> Shape:
        """Return the shape mirrored left to right, normalised."""

    def can_shift(self, step: Point) -> bool:
        """Return whether moving a shape by `step` keeps it on the lattice's cells."""


@dataclass(frozen=True)
class SquareLattice:
    """Squares: four neighbours by the side, four by the corner."""

    def edge_neighbours(self, point: Point) -> Shape:
        """Return the four points beside this one."""
        x, y = point
        return ((x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1))

    def corner_neighbours(self, point: Point) -> Shape:
        """Return the four points diagonal to this one."""
        x, y = point
        return ((x - 1, y - 1), (x + 1, y - 1), (x - 1, y + 1), (x + 1, y + 1))

    def normalise(self, points: Iterable[Point]) -> Shape:
        """Return the shape with its least x and its least y at 0, row by row."""
        held = tuple(points)
        left = min(x for x, _ in held)
        bottom = min(y for _, y in held)
        return row_by_row((x - left, y - bottom) for x, y in held)

    def turn(self, points: Iterable[Point]) -> Shape:
        """Return the shape after a quarter turn clockwise."""
        return self.normalise((y, -x) for x, y in points)

    def flip(self, points: Iterable[Point]) -> Shape:
        """Return the shape mirrored left to right."""
        return self.normalise((-x, y) for x, y in points)

    def can_shift(self, step: Point) -> bool:
        """Return True: on squares every whole step is a move."""
        return True


SQUARES = SquareLattice()


@dataclass(frozen=True)
class Grid:
    """One board: the cells of a lattice that exist, numbered from 0 row by row from the bottom."""

    lattice: Lattice
    points: Shape
    index: dict[Point, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "index", {point: number for number, point in enumerate(self.points)})

    @cached_property
    def width(self) -> int:
        """Return the number of columns of the box around the board."""
        return max(x for x, _ in self.points) + 1

    @cached_property
    def height(self) -> int:
        """Return the number of rows of the box around the board."""
        return max(y for _, y in self.points) + 1

    def inside(self, points: Iterable[Point]) -> tuple[int, ...]:
        """Return the indices of those points that lie on the board, ascending."""
        index = self.index
        return tuple(sorted(index[point] for point in points if point in index))


def rectangle(width: int, height: int) -> Grid:
    """Return a full board of squares."""
    return Grid(SQUARES, tuple((x, y) for y in range(height) for x in range(width)))


def edge_border(lattice: Lattice, points: Iterable[Point]) -> frozenset[Point]:
    """Return every point that shares a side with the shape and does not belong to it."""
    held = frozenset(points)
    return frozenset(near for point in held for near in lattice.edge_neighbours(point)) - held


def corner_border(lattice: Lattice, points: Iterable[Point]) -> frozenset[Point]:
    """Return every point that meets the shape at a corner only: its attach points on an empty plane."""
    held = frozenset(points)
    corners = frozenset(near for point in held for near in lattice.corner_neighbours(point))
    return corners - held - edge_border(lattice, held)
