"""The paths of `outline` read back as points, so that pictures made here are drawn from what pages draw.

Only the commands that `outline` writes are known: `M m l h v z`, `q` for the rounded corners, and `a` for half circles.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import atan2, cos, hypot, pi, sin
from types import MappingProxyType

from games.drawing.outline import Spot

#: Points joined by straight lines; a closed line ends where it began.
Polyline = tuple[Spot, ...]

_COMMAND = re.compile(r"([a-zA-Z])([^a-zA-Z]*)")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
#: Into how many straight lines a rounded corner and a half circle are cut.
_CORNER, _HALF = 4, 12


@lru_cache(maxsize=8192)
def polylines(path: str) -> tuple[Polyline, ...]:
    """Return the lines of a path, in units of the picture."""
    lines: list[list[Spot]] = []
    at: Spot = (0.0, 0.0)
    for letter, written in _COMMAND.findall(path):
        numbers = [float(number) for number in _NUMBER.findall(written)]
        if letter in "Mm":
            at = (numbers[0], numbers[1]) if letter == "M" else _beyond(at, (numbers[0], numbers[1]))
            lines.append([at])
            continue
        lines[-1].extend([lines[-1][0]] if letter == "z" else [_beyond(at, step) for step in _STEPS[letter](numbers)])
        at = lines[-1][-1]
    # "M" is followed by "m" where a shape is put in its place: the first leaves a point that is no line.
    return tuple(tuple(line) for line in lines if len(line) > 1)


def _beyond(at: Spot, step: Spot) -> Spot:
    return at[0] + step[0], at[1] + step[1]


def _bent(numbers: Sequence[float]) -> Iterator[Spot]:
    """Yield steps along a curve that bends towards a corner."""
    bend_x, bend_y, x, y = numbers
    for part in (number / _CORNER for number in range(1, _CORNER + 1)):
        yield (
            2 * part * (1 - part) * bend_x + part**2 * x,
            2 * part * (1 - part) * bend_y + part**2 * y,
        )


def _half_circle(numbers: Sequence[float]) -> Iterator[Spot]:
    """Yield steps along half a circle, clockwise where the last flag says so."""
    *_radii, clockwise, x, y = numbers
    radius, start = hypot(x, y) / 2, atan2(-y, -x)
    for number in range(1, _HALF + 1):
        angle = start + (pi if clockwise else -pi) * number / _HALF
        yield x / 2 + radius * cos(angle), y / 2 + radius * sin(angle)


_STEPS: Mapping[str, Callable[[Sequence[float]], Iterator[Spot]]] = MappingProxyType(
    {
        "l": lambda numbers: iter([(numbers[0], numbers[1])]),
        "h": lambda numbers: iter([(numbers[0], 0.0)]),
        "v": lambda numbers: iter([(0.0, numbers[0])]),
        "q": _bent,
        "a": _half_circle,
    }
)
