"""Lattices and boards: which points exist, which share an edge, which share only a corner.

A point is `(x, y)`: columns from the left, rows from the bottom, both from 0. A lattice knows the
plane, a grid knows one board on it. Pieces, placements and the engine above ask only these two, so
another lattice needs no change there.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Protocol

Point = tuple[int, int]
Shape = tuple[Point, ...]


def row_by_row(points: Iterable[Point]) -> Shape:
    """Return the points in reading order of the board: bottom row first, left to right."""
    return tuple(sorted(points, key=lambda point: (point[1], point[0])))


class Lattice(Hashable, Protocol):
    """A plane cut into equal cells.

    Its vertices have whole coordinates too; `pitch` is how wide a column and how high a row of them is,
    in a length of the lattice's own, and `margin` how many columns and rows a neighbour may lie away.
    """

    @property
    def pitch(self) -> tuple[float, float]:
        """Return the width of a column and the height of a row."""

    @property
    def margin(self) -> tuple[int, int]:
        """Return the most columns and rows between a point and its neighbours."""

    @property
    def origin(self) -> Point:
        """Return where a shape that is written down with its corner at a1 lies as it is drawn."""

    def outline(self, point: Point) -> Shape:
        """Return the cell's vertices, anticlockwise."""

    def kind(self, point: Point) -> int:
        """Return which way the cell lies, from 0: cells of one kind are shifted copies of each other."""

    def edge_neighbours(self, point: Point) -> Shape:
        """Return the points that share a side with this one, on any board or none."""

    def corner_neighbours(self, point: Point) -> Shape:
        """Return the points that share a corner with this one but no side."""

    def normalise(self, points: Iterable[Point]) -> Shape:
        """Return the shape moved as near to (0, 0) as its kind of move allows, row by row."""

    def turned(self, point: Point) -> Point:
        """Return where the smallest clockwise turn, around a vertex of the lattice's choice, moves a point."""

    def flipped(self, point: Point) -> Point:
        """Return where mirroring left to right, at an axis of the lattice's choice, moves a point."""

    def turn(self, points: Iterable[Point]) -> Shape:
        """Return the shape after the smallest clockwise turn, normalised."""

    def flip(self, points: Iterable[Point]) -> Shape:
        """Return the shape mirrored left to right, normalised."""

    def can_shift(self, step: Point) -> bool:
        """Return whether moving a shape by `step` keeps it on the lattice's cells."""


@dataclass(frozen=True)
class SquareLattice:
    """Squares: four neighbours by the side, four by the corner."""

    pitch: tuple[float, float] = (1.0, 1.0)
    margin: tuple[int, int] = (1, 1)
    origin: Point = (0, 0)

    def outline(self, point: Point) -> Shape:
        """Return the four vertices from the lower left one on."""
        x, y = point
        return ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))

    def kind(self, point: Point) -> int:
        """Return 0: all squares lie alike."""
        return 0

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

    def turned(self, point: Point) -> Point:
        """Return the point a quarter turn clockwise around the middle of (0, 0)."""
        return point[1], -point[0]

    def flipped(self, point: Point) -> Point:
        """Return the point mirrored at the middle of column 0."""
        return -point[0], point[1]

    def turn(self, points: Iterable[Point]) -> Shape:
        """Return the shape after a quarter turn clockwise."""
        return self.normalise(map(self.turned, points))

    def flip(self, points: Iterable[Point]) -> Shape:
        """Return the shape mirrored left to right."""
        return self.normalise(map(self.flipped, points))

    def can_shift(self, step: Point) -> bool:
        """Return True: on squares every whole step is a move."""
        return True


SQUARES = SquareLattice()


@dataclass(frozen=True)
class TriangleLattice:
    """Equilateral triangles: three neighbours by the side, nine by the corner.

    A row is a band of triangles that point up and down in turn, half a side apart from column to column.
    `(x, y)` points up where x + y + `phase` is even. Rows are as high as a triangle, the square root of
    3 times half a side.
    """

    phase: int = 0
    pitch: tuple[float, float] = (1.0, 3**0.5)
    margin: tuple[int, int] = (2, 1)

    @property
    def origin(self) -> Point:
        """Return the first triangle of the lowest row that points up: shapes are written down from one such."""
        return (self.phase, 0)

    def kind(self, point: Point) -> int:
        """Return 0 for a triangle that points up, 1 for one that points down."""
        return (point[0] + point[1] + self.phase) & 1

    def outline(self, point: Point) -> Shape:
        """Return the three vertices from the lower left or the lower one on; the cell is two columns wide."""
        x, y = point
        if self.kind(point):
            return ((x + 1, y), (x + 2, y + 1), (x, y + 1))
        return ((x, y), (x + 2, y), (x + 1, y + 1))

    def edge_neighbours(self, point: Point) -> Shape:
        """Return the triangles left and right of this one and the one at its level side."""
        x, y = point
        level = (x, y + 1) if self.kind(point) else (x, y - 1)
        return row_by_row(((x - 1, y), (x + 1, y), level))

    def corner_neighbours(self, point: Point) -> Shape:
        """Return the nine other triangles around the three vertices."""
        x, y = point
        wide, narrow = (y + 1, y - 1) if self.kind(point) else (y - 1, y + 1)
        around = {(x + dx, wide) for dx in (-2, -1, 1, 2)} | {(x + dx, narrow) for dx in (-1, 0, 1)}
        return row_by_row(around | {(x - 2, y), (x + 2, y)})

    def normalise(self, points: Iterable[Point]) -> Shape:
        """Return the shape with its least y at 0 and its least x at 0, or at 1 to keep up and down apart."""
        held = tuple(points)
        left = min(x for x, _ in held)
        bottom = min(y for _, y in held)
        left -= (left + bottom) & 1
        return row_by_row((x - left, y - bottom) for x, y in held)

    def turn(self, points: Iterable[Point]) -> Shape:
        """Return the shape after a sixth of a turn clockwise."""
        return self.normalise(map(self.turned, points))

    def flip(self, points: Iterable[Point]) -> Shape:
        """Return the shape mirrored left to right."""
        return self.normalise(map(self.flipped, points))

    def can_shift(self, step: Point) -> bool:
        """Return whether up stays up."""
        return (step[0] + step[1]) % 2 == 0

    def flipped(self, point: Point) -> Point:
        """Return the triangle mirrored at the upright line through the vertex at the origin."""
        return -point[0] - 2 * self.phase - 2, point[1]

    def turned(self, point: Point) -> Point:
        """Return the triangle a sixth of a turn clockwise around the vertex at the origin.

        Middles of triangles are whole numbers of columns and of thirds of a row: turning them is exact.
        """
        across = point[0] + self.phase + 1
        thirds = 3 * point[1] + 1 + self.kind(point)
        across, thirds = (across + thirds) // 2, (thirds - 3 * across) // 2
        return across - 1 - self.phase, thirds // 3


@dataclass(frozen=True)
class Grid:
    """One board: the cells of a lattice that exist, numbered from 0 row by row from the bottom."""

    lattice: Lattice
    points: Shape
    index: Mapping[Point, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        index = MappingProxyType({point: number for number, point in enumerate(self.points)})
        object.__setattr__(self, "index", index)

    def __reduce__(self) -> tuple[type["Grid"], tuple[Lattice, Shape]]:
        return Grid, (self.lattice, self.points)

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

    @cached_property
    def edge_masks(self) -> tuple[int, ...]:
        """Return by cell the set of cells that share a side with it: bit i is the cell of index i."""
        return tuple(self._mask(self.lattice.edge_neighbours(point)) for point in self.points)

    @cached_property
    def corner_masks(self) -> tuple[int, ...]:
        """Return by cell the set of cells that share a corner with it but no side: bit i is the cell of index i."""
        return tuple(self._mask(self.lattice.corner_neighbours(point)) for point in self.points)

    def _mask(self, points: Iterable[Point]) -> int:
        return sum(1 << cell for cell in self.inside(points))

    def plane(self, mask: int) -> bytes:
        """Return a set of cells as a picture: a byte for every place of the box around the board.

        Bit i of the set is the cell of index i. The places stand row by row from the bottom, `width` in each of
        `height` rows; a byte is 1 where the set has the cell, and 0 elsewhere, also where the board has none.
        """
        digits = f"{mask | 1 << len(self.points):b}"[:0:-1].encode().translate(_BYTE_OF_DIGIT) + b"\0"
        return bytes(map(digits.__getitem__, self._box))

    @cached_property
    def _box(self) -> tuple[int, ...]:
        return tuple(self.index.get((x, y), -1) for y in range(self.height) for x in range(self.width))


#: Turns the digits 0 and 1 into the bytes 0 and 1.
_BYTE_OF_DIGIT = bytes.maketrans(b"01", b"\0\1")


def rectangle(width: int, height: int) -> Grid:
    """Return a full board of squares."""
    return Grid(SQUARES, tuple((x, y) for y in range(height) for x in range(width)))


def hexagon(edge: int) -> Grid:
    """Return a hexagonal board of triangles with `edge` of them along each of its six edges.

    The box around it is 4 * edge - 1 columns wide and 2 * edge rows high. The lowest row begins and ends with a
    triangle that points down.
    """
    lattice = TriangleLattice(phase=edge % 2)
    spans = [edge - 1 - min(y, 2 * edge - 1 - y) for y in range(2 * edge)]
    points = tuple((x, y) for y, left in enumerate(spans) for x in range(left, 4 * edge - 1 - left))
    return Grid(lattice, points)


def edge_border(lattice: Lattice, points: Iterable[Point]) -> frozenset[Point]:
    """Return every point that shares a side with the shape and does not belong to it."""
    held = frozenset(points)
    return frozenset(near for point in held for near in lattice.edge_neighbours(point)) - held


def corner_border(lattice: Lattice, points: Iterable[Point]) -> frozenset[Point]:
    """Return every point that meets the shape at a corner only: its attach points on an empty plane."""
    held = frozenset(points)
    corners = frozenset(near for point in held for near in lattice.corner_neighbours(point))
    return corners - held - edge_border(lattice, held)
