"""Which named opening a colour has followed, and how far.

What is asked of a placement is the same however the board is turned or mirrored: its piece, whether it touches the one
before at a corner, how far it lies from the middle. So no opening is looked for more than once.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from games.lines.entries import LINES, Line
from games.rules import Placement, Position
from games.rules.geometry import Grid, Point
from games.rules.variants import Variant, get_variant


@dataclass(frozen=True)
class Followed:
    """A named opening that a colour has followed, with the first pieces of it, `pieces` of them."""

    line: Line
    colour: str
    pieces: int


def followed_lines(position: Position) -> tuple[Followed, ...]:
    """Return the openings that have a name, by colour in the order of play. A colour that seats share opens none.

    It costs the same for a long game as for a short one, but for going over its turns.
    """
    if position.is_set_up or not lines_of(position.variant):
        return ()
    placed = ((turn.colour, turn.placement) for turn in position.history if turn.colour and turn.placement)
    return lines_followed(position.variant, placed)


def lines_followed(variant: Variant, placed: Iterable[tuple[str, Placement]]) -> tuple[Followed, ...]:
    """Return the same for the placements of a game, each with its colour; those after an opening are not looked at."""
    lines = _lines_of(variant.family)
    if not lines:
        return ()
    own = _first_placements(placed, max(line.length for line in lines))
    colours = [colour for colour in variant.colours if colour in own and colour not in variant.shared]
    found = ((colour, _furthest(variant.id, tuple(own[colour]))) for colour in colours)
    return tuple(Followed(line, colour, pieces) for colour, (line, pieces) in found if line is not None)


def line_of_seat(found: Sequence[Followed], colours: Sequence[str]) -> Followed | None:
    """Return how a seat of these colours has opened: the one of the openings `found` that one followed furthest."""
    own = [each for each in found if each.colour in colours]
    return max(own, key=lambda each: each.pieces, default=None)


def lines_of(variant: Variant) -> tuple[Line, ...]:
    """Return the openings that belong to a variant, the best known first."""
    return _lines_of(variant.family)


def placements_on(position: Position, line: Line) -> tuple[Placement, ...]:
    """Return the legal placements by which the colour to play goes on with an opening, the nearest to the middle first.

    None where it has ended, was left, or does not belong here, or where seats share the colour. Equally near ones are
    in the order of legal sets.
    """
    variant, colour = position.variant, position.colour
    if line not in _lines_of(variant.family) or position.is_set_up or colour in variant.shared:
        return ()
    own = [turn.placement for turn in position.history if turn.colour == colour and turn.placement]
    if len(own) >= line.length or _length(variant.grid, line, own) < len(own):
        return ()
    pieces = {piece for group in line.groups for piece in group}
    wanted = (each for each in position.legal_placements() if each.piece in pieces)
    found = [each for each in wanted if _length(variant.grid, line, [*own, each]) > len(own)]
    return tuple(sorted(found, key=lambda each: _distance(variant.grid, each.points)))


def nearest_on(position: Position, line: Line) -> tuple[Placement, ...]:
    """Return those of the placements with which an opening goes on that come nearest to the middle, all equally near.

    On an empty board each leaves room for the next piece of the opening.
    """
    found, grid = placements_on(position, line), position.variant.grid
    return tuple(each for each in found if _distance(grid, each.points) == _distance(grid, found[0].points))


@cache
def _lines_of(family: str) -> tuple[Line, ...]:
    return tuple(line for line in LINES.values() if family in line.boards)


def _first_placements(placed: Iterable[tuple[str, Placement]], number: int) -> dict[str, list[Placement]]:
    found: dict[str, list[Placement]] = {}
    for colour, placement in placed:
        own = found.setdefault(colour, [])
        if len(own) < number:
            own.append(placement)
    return found


@lru_cache(maxsize=4096)
def _furthest(variant_id: str, placed: tuple[Placement, ...]) -> tuple[Line | None, int]:
    """Return the opening that is followed furthest, of several the first, with its pieces; None if none has a name yet.

    Kept, for the pages of a game ask again after every move.
    """
    variant = get_variant(variant_id)
    found = [(line, _length(variant.grid, line, placed)) for line in lines_of(variant)]
    named = [(line, pieces) for line, pieces in found if pieces >= line.named_from]
    return max(named, key=lambda each: each[1], default=(None, 0))


def _length(grid: Grid, line: Line, placed: Sequence[Placement]) -> int:
    """Return how many of the first placements of a colour follow an opening."""
    groups = [list(group) for group in line.groups]
    for number, placement in enumerate(placed):
        while groups and not groups[0]:
            del groups[0]
        if not groups or placement.piece not in groups[0] or not _goes_on(grid, line, placed[: number + 1]):
            return number
        groups[0].remove(placement.piece)
    return len(placed)


def _goes_on(grid: Grid, line: Line, placed: Sequence[Placement]) -> bool:
    """Return whether the last of some placements goes on from the one before: from its corner, towards the middle."""
    *before, last = placed
    if not before:
        return True
    near = {point for own in last.points for point in grid.lattice.corner_neighbours(own)}
    if near.isdisjoint(before[-1].points):
        return False
    return not line.nears_middle or _distance(grid, last.points) < min(_distance(grid, each.points) for each in before)


def _distance(grid: Grid, points: Iterable[Point]) -> int:
    """Return how far the nearest of some cells is from the middle: the square of it, in halves of a cell."""
    return min((2 * x - grid.width + 1) ** 2 + (2 * y - grid.height + 1) ** 2 for x, y in points)
