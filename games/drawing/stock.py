"""The pieces that a colour has not placed as one small picture: in lines, the largest first."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from games.drawing import outline
from games.rules.variants import get_variant

#: Units that a line is wide, and units between two pieces.
WIDTH, GAP = 430, 6


@dataclass(frozen=True)
class StockPicture:
    """The picture in units: one path of the pieces that fit somewhere on the board, one of those that do not.

    Lines as wide as a unit at its edges are inside it if it is moved by one to the right and down.
    """

    width: int
    height: int
    fitting: str
    rest: str


@dataclass(frozen=True)
class _Lying:
    """A piece as it lies in the picture: its outline from its lower left corner on, and its size in units."""

    path: str
    left: float
    width: float
    height: float


@lru_cache(maxsize=1024)
def stock_picture(variant_id: str, pieces: tuple[str, ...], fitting: frozenset[str]) -> StockPicture:
    """Return the picture of these pieces, one name for each copy."""
    lying = _lying(variant_id)
    placed = sorted(pieces, key=list(lying).index)
    paths: dict[bool, list[str]] = {True: [], False: []}
    bottom = 0.0
    for line in _lines(placed, lying):
        bottom += max(lying[name].height for name in line)
        x = 0.0
        for name in line:
            piece = lying[name]
            paths[name in fitting].append(f"M{x - piece.left:g} {bottom:g}{piece.path}")
            x += piece.width + GAP
        bottom += GAP
    height = round(bottom - GAP) + 2 if bottom else 0
    return StockPicture(WIDTH + 2, height, "".join(paths[True]), "".join(paths[False]))


def _lines(names: Iterable[str], lying: dict[str, _Lying]) -> Iterator[list[str]]:
    """Yield the pieces line by line."""
    line: list[str] = []
    room: float = WIDTH
    for name in names:
        width = lying[name].width
        if line and width > room:
            yield line
            line, room = [], WIDTH
        line.append(name)
        room -= width + GAP
    if line:
        yield line


@lru_cache(maxsize=64)
def _lying(variant_id: str) -> dict[str, _Lying]:
    """Return how each piece of a variant lies, by name, larger pieces first."""
    variant = get_variant(variant_id)
    lattice = variant.grid.lattice
    plane, found = outline.plane_of(lattice), {}
    for piece in sorted(variant.pieces, key=lambda piece: -piece.size):
        shape = min(piece.orientations, key=lambda shape: max(y for _, y in shape))
        corners = [plane.at(vertex) for point in shape for vertex in lattice.outline(point)]
        left, right = min(x for x, _y in corners), max(x for x, _y in corners)
        height = -min(y for _x, y in corners)
        found[piece.name] = _Lying(outline.sharp_commands_of(shape, lattice), left, right - left, height)
    return found
