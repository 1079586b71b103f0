"""Cells, pieces and boards as SVG paths: one outlined path a piece, one path of glyphs a colour.

Where a cell lies comes from its lattice; y points down as SVG has it, so row 1 lies at the bottom of the picture. The
place of a point is the lower left corner of its column and row. Paths are kept as relative commands: a shape is traced
once, wherever it is drawn later.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import atan2, hypot, pi

from games.rules.geometry import SQUARES, Grid, Lattice, Point, Shape

Spot = tuple[float, float]

#: Units of the picture a square is wide.
CELL = 10
#: Units a column is wide, by the number of sides of a cell: a triangle covers two columns.
_COLUMNS = {4: CELL, 3: 6}
#: Units by which a corner of a piece is rounded.
ROUND = 1.2

#: What is drawn into every cell of a colour, relative to its middle.
GLYPHS = {
    "blue": "m0 0h0",
    "yellow": "m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0",
    "red": "m-1.6 1.6l3.2-3.2",
    "green": "m-2 0h4",
    "purple": "m-1.6-1.6l3.2 3.2m0-3.2l-3.2 3.2",
    "orange": "m-2 0h4m-2-2v4",
}
#: For a colour that has no glyph of its own yet: a square.
_SQUARE = "m-1.5-1.5h3v3h-3z"


@dataclass(frozen=True)
class Plane:
    """A lattice in the picture: a column is `column` units wide, a row `row` units high."""

    lattice: Lattice
    column: float
    row: float

    def at(self, vertex: Spot) -> Spot:
        """Return where a vertex lies if (0, 0) is the origin."""
        return self.column * vertex[0], -self.row * vertex[1]

    def place(self, point: Point, height: int) -> str:
        """Return the command that moves to the place of a point on a board of that many rows."""
        return f"M{_n(self.column * point[0])} {_n(self.row * (height - point[1]))}"

    def middle(self, point: Point, height: int) -> str:
        """Return the command that moves to the middle of a cell."""
        x, y = self.spot(point)
        return f"M{_n(x)} {_n(self.row * height + y)}"

    def spot(self, point: Point) -> Spot:
        """Return where the middle of a cell lies if (0, 0) is the origin."""
        vertices = [self.at(vertex) for vertex in self.lattice.outline(point)]
        return sum(x for x, _ in vertices) / len(vertices), sum(y for _, y in vertices) / len(vertices)


@lru_cache(maxsize=8)
def plane_of(lattice: Lattice) -> Plane:
    """Return how a lattice is drawn."""
    column = _COLUMNS[len(lattice.outline((0, 0)))]
    wide, high = lattice.pitch
    return Plane(lattice, column, round(column * high / wide, 1))


def kind_points(lattice: Lattice) -> list[Point]:
    """Return one cell of each kind near (0, 0), in the order of the kinds."""
    found = {lattice.kind(point): point for point in ((1, 0), (0, 0))}
    return [found[kind] for kind in sorted(found)]


def glyph(colour: str) -> str:
    """Return the path of a colour's glyph relative to the middle of its cell."""
    return GLYPHS.get(colour, _SQUARE)


def piece_path(points: Shape, height: int, lattice: Lattice = SQUARES) -> str:
    """Return the outline of a piece on a board of that many rows."""
    form = lattice.normalise(points)
    first = min(points, key=lambda point: (point[1], point[0]))
    base = (first[0] - form[0][0], first[1] - form[0][1])
    return plane_of(lattice).place(base, height) + commands_of(form, lattice)


def glyph_path(colour: str, points: Iterable[Point], height: int, lattice: Lattice = SQUARES) -> str:
    """Return the glyph of a colour in each of these cells."""
    plane, mark = plane_of(lattice), glyph(colour)
    return "".join([plane.middle(point, height) + mark for point in points])


def cells_path(points: Iterable[Point], height: int, lattice: Lattice = SQUARES, part: float = 1) -> str:
    """Return each of these cells, or that part of its width and height around its middle."""
    plane = plane_of(lattice)
    return "".join(
        [plane.middle(point, height) + cell_commands(lattice, lattice.kind(point), part) for point in points]
    )


@lru_cache(maxsize=32)
def cell_commands(lattice: Lattice, kind: int, part: float = 1) -> str:
    """Return the commands that draw a cell of a kind, relative to its middle."""
    plane = plane_of(lattice)
    point = kind_points(lattice)[kind]
    x, y = plane.spot(point)
    vertices = [plane.at(vertex) for vertex in lattice.outline(point)]
    return _closed([(part * (vx - x), part * (vy - y)) for vx, vy in vertices])


def grid_path(grid: Grid) -> str:
    """Return the lines between the cells of a board, each as long as it goes on."""
    plane, height = plane_of(grid.lattice), grid.height
    steps = _inner_steps(grid)
    drawn = []
    for at, to in sorted(steps):
        step = (to[0] - at[0], to[1] - at[1])
        if ((at[0] - step[0], at[1] - step[1]), at) in steps:
            continue
        while (to, (to[0] + step[0], to[1] + step[1])) in steps:
            to = (to[0] + step[0], to[1] + step[1])
        (x, y), (dx, dy) = plane.at(at), plane.at((to[0] - at[0], to[1] - at[1]))
        drawn.append(f"M{_n(x)} {_n(plane.row * height + y)}{_line(dx, dy)}")
    return "".join(drawn)


def ground_path(grid: Grid) -> str:
    """Return the outline of a board."""
    plane = plane_of(grid.lattice)
    return plane.place((0, 0), grid.height) + "".join(
        _closed([plane.at(vertex) for vertex in _corners(loop)]) for loop in _loops(grid.points, grid.lattice)
    )


@lru_cache(maxsize=512)
def sharp_commands_of(shape: Shape, lattice: Lattice = SQUARES) -> str:
    """Return the commands that draw a shape's outline with sharp corners, relative to the place of (0, 0).

    They are a sixth as long as rounded ones, which look the same where a cell is a few pixels wide.
    """
    plane = plane_of(lattice)
    loops = _loops(tuple(sorted(shape)), lattice)
    return "".join([_closed([plane.at(vertex) for vertex in _corners(loop)]) for loop in loops])


@lru_cache(maxsize=2048)
def commands_of(shape: Shape, lattice: Lattice = SQUARES) -> str:
    """Return the commands that draw a shape's outline with rounded corners, relative to the place of (0, 0)."""
    plane = plane_of(lattice)
    pen = _Pen()
    for loop in _loops(tuple(sorted(shape)), lattice):
        _draw_rounded(pen, [plane.at(vertex) for vertex in _corners(loop)])
    return pen.drawn


def _inner_steps(grid: Grid) -> set[tuple[Point, Point]]:
    """Return the sides that two cells share, each once, from left to right or upward."""
    sides = {side for point in grid.points for side in _sides(point, grid.lattice)}
    return {(at, to) for at, to in sides if at < to and (to, at) in sides}


def _sides(point: Point, lattice: Lattice) -> list[tuple[Point, Point]]:
    """Return the sides of a cell as steps from vertex to vertex, clockwise on the screen."""
    ring = lattice.outline(point)[::-1]
    return list(zip(ring, ring[1:] + ring[:1], strict=True))


def _loops(shape: Shape, lattice: Lattice) -> list[list[Point]]:
    """Return the borders of a shape as closed walks from vertex to vertex, clockwise on the screen."""
    sides = [side for point in shape for side in _sides(point, lattice)]
    known = set(sides)
    steps: dict[Point, list[Point]] = {}
    for at, to in sides:
        if (to, at) not in known:
            steps.setdefault(at, []).append(to)
    plane, loops = plane_of(lattice), []
    while steps:
        loops.append(_walk(steps, plane))
    return loops


def _walk(steps: dict[Point, list[Point]], plane: Plane) -> list[Point]:
    """Return one closed walk, taking its steps out; where two ways part it turns right, and stays with its cell."""
    start = at = next(iter(steps))
    came: Point | None = None
    loop: list[Point] = []
    while True:
        ways = steps[at]
        to = ways[0] if came is None or len(ways) == 1 else max(ways, key=lambda way: _turn(plane, came, at, way))
        ways.remove(to)
        if not ways:
            del steps[at]
        loop.append(at)
        came, at = at, to
        if at == start:
            return loop


def _turn(plane: Plane, came: Point | None, at: Point, to: Point) -> float:
    """Return by what angle a walk turns right at a vertex, from -pi to pi."""
    before, (x, y), after = plane.at(came or at), plane.at(at), plane.at(to)
    angle = atan2(after[1] - y, after[0] - x) - atan2(y - before[1], x - before[0])
    return (angle + pi) % (2 * pi) - pi


def _corners(loop: list[Point]) -> list[Point]:
    """Return only the vertices at which the walk turns."""
    around = zip(loop[-1:] + loop[:-1], loop, loop[1:] + loop[:1], strict=True)
    return [
        at
        for before, at, after in around
        if (at[0] - before[0]) * (after[1] - at[1]) != (at[1] - before[1]) * (after[0] - at[0])
    ]


class _Pen:
    """Relative commands in tenths of a unit. What rounding leaves over goes into the next command."""

    def __init__(self) -> None:
        self.drawn = ""
        self.at: Spot = (0.0, 0.0)

    def by(self, spot: Spot) -> Spot:
        """Return the step from where the pen is to a spot."""
        return round(spot[0] - self.at[0], 1), round(spot[1] - self.at[1], 1)

    def go(self, spot: Spot) -> None:
        """Note that the pen is now at the spot, as far as tenths go."""
        step = self.by(spot)
        self.at = (self.at[0] + step[0], self.at[1] + step[1])


def _draw_rounded(pen: _Pen, corners: list[Spot]) -> None:
    """Draw a closed outline once around, every corner rounded."""
    ways = list(zip(corners, corners[1:] + corners[:1], strict=True))
    towards = [_direction(at, to) for at, to in ways]
    start = _along(corners[0], towards[0], ROUND)
    pen.drawn += "m" + _pair(*pen.by(start))
    pen.go(start)
    for number, (_at, to) in enumerate(ways):
        after = towards[(number + 1) % len(ways)]
        end = _along(to, towards[number], -ROUND)
        pen.drawn += _line(*pen.by(end))
        pen.go(end)
        bent = _along(to, after, ROUND)
        pen.drawn += f"q{_pair(*pen.by(to))} {_pair(*pen.by(bent))}"
        pen.go(bent)
    pen.drawn += "z"
    pen.at = start


def _along(spot: Spot, direction: Spot, length: float) -> Spot:
    return spot[0] + length * direction[0], spot[1] + length * direction[1]


def _direction(at: Spot, to: Spot) -> Spot:
    """Return the step of length 1 from one spot towards another."""
    x, y = to[0] - at[0], to[1] - at[1]
    return x / hypot(x, y), y / hypot(x, y)


def _closed(vertices: list[Spot]) -> str:
    """Return the commands that draw a polygon with sharp corners."""
    pen = _Pen()
    pen.drawn = "m" + _pair(*pen.by(vertices[0]))
    pen.go(vertices[0])
    for vertex in vertices[1:]:
        pen.drawn += _line(*pen.by(vertex))
        pen.go(vertex)
    return pen.drawn + "z"


def _line(x: float, y: float) -> str:
    """Return the shortest command for a straight line."""
    if not y:
        return f"h{_n(x)}"
    return f"l{_pair(x, y)}" if x else f"v{_n(y)}"


def _pair(x: float, y: float) -> str:
    """Return two numbers; a minus sign parts them as well as a space."""
    one, other = _n(x), _n(y)
    return f"{one}{other}" if other.startswith("-") else f"{one} {other}"


def _n(value: float) -> str:
    """Return a number as short as SVG reads it."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text
