"""Pieces and grids as SVG paths: one outlined path a piece, one path of glyphs a colour.

A cell is ten units wide; y points down as SVG has it, so row 1 lies at the bottom of the picture. Paths are kept as
relative commands: a shape is traced once, wherever it is drawn later.
"""

from collections.abc import Iterable
from functools import lru_cache

Point = tuple[int, int]
Shape = tuple[Point, ...]

#: Units of the picture a cell is wide.
CELL = 10
#: Units by which a corner of a piece is rounded.
ROUND = 1.2

#: What is drawn into every cell of a colour, relative to the cell's upper left corner.
GLYPHS = {
    "blue": "m5 5h0",
    "yellow": "m3 5a2 2 0 1 0 4 0a2 2 0 1 0-4 0",
    "red": "m3.4 6.6l3.2-3.2",
    "green": "m3 5h4",
}
#: For a colour that has no glyph of its own yet: a square.
_SQUARE = "m3.5 3.5h3v3h-3z"


def glyph(colour: str) -> str:
    """Return the relative path of a colour's glyph in one cell."""
    return GLYPHS.get(colour, _SQUARE)


def piece_path(points: Shape, height: int) -> str:
    """Return the outline of a piece on a board of that many rows."""
    left = min(x for x, _ in points)
    bottom = min(y for _, y in points)
    commands = commands_of(tuple(sorted((x - left, y - bottom) for x, y in points)))
    return f"M{CELL * left} {CELL * (height - bottom)}{commands}"


def glyph_path(colour: str, points: Iterable[Point], height: int) -> str:
    """Return the glyph of a colour in each of these cells."""
    mark = glyph(colour)
    return "".join([f"M{CELL * x} {CELL * (height - 1 - y)}{mark}" for x, y in points])


def squares_path(points: Iterable[Point], height: int) -> str:
    """Return a square over each of these cells."""
    return "".join([f"M{CELL * x} {CELL * (height - 1 - y)}h{CELL}v{CELL}h-{CELL}z" for x, y in points])


@lru_cache(maxsize=4)
def grid_path(width: int, height: int) -> str:
    """Return the lines between the cells."""
    across = "".join(f"M0 {CELL * row}h{CELL * width}" for row in range(1, height))
    down = "".join(f"M{CELL * column} 0v{CELL * height}" for column in range(1, width))
    return across + down


@lru_cache(maxsize=1024)
def commands_of(shape: Shape) -> str:
    """Return the relative commands that draw a shape's outline, from the lower left corner of the box around it."""
    commands, at = "", (0.0, 0.0)
    for loop in _loops(shape):
        corners = _corners(loop)
        start, drawn = _rounded(corners)
        commands += f"m{_n(start[0] - at[0])} {_n(start[1] - at[1])}{drawn}z"
        at = start
    return commands


def _loops(shape: Shape) -> list[list[Point]]:
    """Return the borders of a shape as closed walks from vertex to vertex, clockwise on the screen."""
    steps: dict[Point, list[Point]] = {}
    for x, y in shape:
        top = -y - 1
        ring = [(x, top), (x + 1, top), (x + 1, top + 1), (x, top + 1)]
        beside = [(x, y + 1), (x + 1, y), (x, y - 1), (x - 1, y)]
        for number, near in enumerate(beside):
            if near not in shape:
                steps.setdefault(ring[number], []).append(ring[(number + 1) % 4])
    loops = []
    while steps:
        loops.append(_walk(steps))
    return loops


def _walk(steps: dict[Point, list[Point]]) -> list[Point]:
    """Return one closed walk, taking its steps out; where two ways part it turns right, and stays with its cell."""
    start = at = next(iter(steps))
    came: Point = (0, 0)
    loop: list[Point] = []
    while True:
        ways = steps[at]
        right = (at[0] - came[1], at[1] + came[0])
        to = right if right in ways else ways[0]
        ways.remove(to)
        if not ways:
            del steps[at]
        loop.append(at)
        came, at = (to[0] - at[0], to[1] - at[1]), to
        if at == start:
            return loop


def _corners(loop: list[Point]) -> list[Point]:
    """Return only the vertices at which the walk turns."""
    around = zip(loop[-1:] + loop[:-1], loop, loop[1:] + loop[:1], strict=True)
    return [at for before, at, after in around if before[0] != after[0] and before[1] != after[1]]


def _rounded(corners: list[Point]) -> tuple[tuple[float, float], str]:
    """Return where to start, in units, and the relative commands once around with every corner rounded."""
    commands = ""
    ways = list(zip(corners, corners[1:] + corners[:1], strict=True))
    for number, (at, to) in enumerate(ways):
        x, y = _direction(at, to)
        after = _direction(*ways[(number + 1) % len(ways)])
        length = CELL * (abs(to[0] - at[0]) + abs(to[1] - at[1])) - 2 * ROUND
        commands += f"h{_n(x * length)}" if x else f"v{_n(y * length)}"
        bend = (ROUND * (x + after[0]), ROUND * (y + after[1]))
        commands += f"q{_n(ROUND * x)} {_n(ROUND * y)} {_n(bend[0])} {_n(bend[1])}"
    first = _direction(*ways[0])
    return (CELL * corners[0][0] + ROUND * first[0], CELL * corners[0][1] + ROUND * first[1]), commands


def _direction(at: Point, to: Point) -> Point:
    """Return the unit step from one vertex towards another on the same line."""
    return ((to[0] > at[0]) - (to[0] < at[0]), (to[1] > at[1]) - (to[1] < at[1]))


def _n(value: float) -> str:
    """Return a number as short as SVG reads it."""
    return f"{value:.1f}".removesuffix(".0")
