"""The symmetries of a board: turned and mirrored, which cell and which placement becomes which.

A program that learns from games or stores positions can use each of them several times: eight times
on a square, twelve times on a hexagon.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from games.rules.geometry import Grid, Point
from games.rules.placement import PlacementTable, table_for
from games.rules.variants import Variant, get_variant


@dataclass(frozen=True, repr=False)
class Symmetry:
    """One way to lay a board onto itself: `turns` smallest clockwise turns, before them a flip where `is_flipped`.

    `cells[i]` is the cell that cell i becomes, `placements[i]` the id of what the placement of id i becomes.
    `colours` has by number of a colour the number of the one that starts where its start cells come to lie;
    it is None where they come to lie elsewhere, or where two colours would be the same. The order of play is
    that of the variant, and may be another one after it.
    """

    turns: int
    is_flipped: bool
    cells: tuple[int, ...]
    placements: tuple[int, ...]
    colours: tuple[int, ...] | None

    def __repr__(self) -> str:
        return f"<Symmetry of {self.turns} turns{', flipped' if self.is_flipped else ''}>"


def symmetries(variant: str | Variant) -> tuple[Symmetry, ...]:
    """Return every symmetry of a variant's board, the one that changes nothing first.

    They are made when they are first asked for, in a tenth of a second each on 20 x 20, and the last few are kept.

    Raises:
        UnknownVariant: there is none of that id.

    """
    return _symmetries(get_variant(variant))


def boards_alike(variant: str | Variant, board: str, colours: Iterable[str]) -> Iterator[str]:
    """Yield the boards on which the same position lies, as `Position.board` has them: the one that is given first.

    Turned or mirrored it is the same where every one of the game's `colours` begins at the start cells of a colour of
    the variant, and they play in the same order. In Duo that is so for one mirror image, on triangles, where all
    colours may start anywhere, for all twelve. Which pieces were named to open with does not count.

    Raises:
        UnknownVariant: there is none of that id.

    """
    kind = get_variant(variant)
    numbers = sorted(map(kind.colour_number, colours))
    for cells, become in _keeping_starts(kind):
        found = [become[number] for number in numbers]
        if found == sorted(found):
            names = {str(number): str(other) for number, other in zip(numbers, found, strict=True)}
            moved = ["."] * len(board)
            for cell, held in zip(cells, board, strict=True):
                moved[cell] = names.get(held, held)
            yield "".join(moved)


@lru_cache(maxsize=16)
def _keeping_starts(variant: Variant) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """Return what each cell and each colour becomes, for the symmetries that bring start cells to start cells."""
    found = ((cells, _colours(variant, cells)) for _turns, _is_flipped, cells in _moves(variant.grid))
    return tuple((cells, colours) for cells, colours in found if colours is not None)


@lru_cache(maxsize=4)
def _symmetries(variant: Variant) -> tuple[Symmetry, ...]:
    # Each symmetry has the same integers in another order: they are made once.
    numbers = tuple(range(len(table_for(variant))))
    return tuple(_symmetry(variant, numbers, *moved) for moved in _moves(variant.grid))


def _moves(grid: Grid) -> Iterator[tuple[int, bool, tuple[int, ...]]]:
    """Yield the turns, whether it is flipped, and what each cell becomes, for each symmetry of a board."""
    lattice = grid.lattice
    for is_flipped in (False, True):
        points = tuple(map(lattice.flipped, grid.points)) if is_flipped else grid.points
        seen: set[tuple[Point, ...]] = set()
        while (placed := _moved_back(points)) not in seen:
            seen.add(placed)
            if _is_onto(grid, points, placed):
                yield len(seen) - 1, is_flipped, tuple(map(grid.index.__getitem__, placed))
            points = tuple(map(lattice.turned, points))


def _moved_back(points: tuple[Point, ...]) -> tuple[Point, ...]:
    """Return the points moved so that the box around them has its corner at (0, 0)."""
    left, bottom = min(x for x, _ in points), min(y for _, y in points)
    return tuple((x - left, y - bottom) for x, y in points)


def _is_onto(grid: Grid, points: tuple[Point, ...], placed: tuple[Point, ...]) -> bool:
    """Return whether the points, moved there by a whole step of the lattice, are those of the board again."""
    step = placed[0][0] - points[0][0], placed[0][1] - points[0][1]
    return grid.lattice.can_shift(step) and grid.index.keys() == set(placed)


def _symmetry(
    variant: Variant, numbers: tuple[int, ...], turns: int, is_flipped: bool, cells: tuple[int, ...]
) -> Symmetry:
    placements = tuple(map(numbers.__getitem__, _placements(table_for(variant), cells)))
    return Symmetry(turns, is_flipped, cells, placements, _colours(variant, cells))


def _placements(table: PlacementTable, cells: tuple[int, ...]) -> Iterator[int]:
    """Yield the id of what each placement becomes: the one of the moved form at the first of the moved cells."""
    grid = table.grid
    become: dict[int, int] = {}
    for number, form in enumerate(table.form_of):
        moved = sorted([cells[cell] for cell in table.cells_of(number)])
        if form not in become:
            become[form] = table.form_number(tuple(grid.points[cell] for cell in moved))
        yield table.id_at(become[form], moved[0])


def _colours(variant: Variant, cells: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return by number of a colour the number of the one whose start cells its own become, if there is one for each."""
    starts = [frozenset(variant.start_cells[colour]) for colour in variant.colours]
    free = dict(enumerate(starts))
    found = []
    for own in starts:
        moved = frozenset(cells[cell] for cell in own)
        number = next((number for number, start in free.items() if start == moved), None)
        if number is None:
            return None
        found.append(number)
        del free[number]
    return tuple(found)
