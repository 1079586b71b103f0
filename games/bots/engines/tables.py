"""A board as flat tables of numbers, which is all that the thinking engines see of the rules.

They are made from the rules' own table of placements: ids of placements, cells and pieces are the same here and there.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from games.bots.engines.compiled import Numbers, numbers
from games.rules import Position
from games.rules.geometry import corner_border, edge_border
from games.rules.placement import PlacementTable, table_for

#: Boards whose tables are kept at a time in a process, some 6 MB each.
MOST_BOARDS = 6


class Tables(NamedTuple):
    """The geometry of a board and its pieces.

    Of placement p: `piece[p]`, `size[p]`, and in `near` its cells from `cells_at[p]` on, the cells beside it from
    `edges_at[p]` on, those at its corners from `corners_at[p]` up to `cells_at[p + 1]`.

    `walk` is, for each cell, a tree of the placements that cover it, written down in the order of a walk. Its nodes
    begin at `walk_at[cell]` and end at `walk_at[cell + 1]` and are four numbers each: a cell that is added, the pieces
    of all placements at and below the node as bits, where the walk goes on if that cell is closed or none of those
    pieces is in stock, and the placement that is complete with the cell (or -1). `sized[n]` are the pieces of n cells,
    as bits. The cells beside cell x are in `beside` from `beside_at[x]` up to `beside_at[x + 1]`.
    """

    piece: Numbers
    size: Numbers
    cells_at: Numbers
    edges_at: Numbers
    corners_at: Numbers
    near: Numbers
    walk_at: Numbers
    walk: Numbers
    sized: Numbers
    beside_at: Numbers
    beside: Numbers


def tables_of(position: Position) -> Tables:
    """Return the tables of the board that a position is played on, made when they are first asked for."""
    return _made(table_for(position.variant))


@lru_cache(maxsize=MOST_BOARDS)
def _made(table: PlacementTable) -> Tables:
    cells = [table.cells_of(number) for number in range(len(table))]
    pieces = [table.forms[form].piece for form in table.form_of]
    near, cells_at, edges_at, corners_at = _surroundings(table, cells)
    walk = _Walk(table, cells, pieces)
    beside_at, beside = _beside(table)
    return Tables(
        piece=numbers(pieces, 8),
        size=numbers([len(each) for each in cells], 8),
        cells_at=numbers(cells_at),
        edges_at=numbers(edges_at),
        corners_at=numbers(corners_at),
        near=numbers(near, 16),
        walk_at=numbers([4 * node for node in walk.at]),
        walk=numbers(
            [
                number
                for node in zip(walk.cell, walk.pieces, [4 * node for node in walk.skip], walk.place, strict=True)
                for number in node
            ]
        ),
        sized=numbers(_sized(pieces, [len(each) for each in cells]), 64),
        beside_at=numbers(beside_at),
        beside=numbers(beside, 16),
    )


def _sized(pieces: Sequence[int], sizes: Sequence[int]) -> list[int]:
    """Return by number of cells the pieces of that size, as bits."""
    sized = [0] * (max(sizes) + 1)
    for piece, size in zip(pieces, sizes, strict=True):
        sized[size] |= 1 << piece
    return sized


def _surroundings(table: PlacementTable, cells: Sequence[Sequence[int]]) -> tuple[list[int], ...]:
    """Return the cells of, beside and at the corners of each placement, and where each of these lists begins."""
    shapes = [form.shape for form in table.forms]
    beside = [_places(table, edge_border(table.grid.lattice, shape)) for shape in shapes]
    diagonal = [_places(table, corner_border(table.grid.lattice, shape)) for shape in shapes]
    frame = table.frame
    near: list[int] = []
    starts: tuple[list[int], list[int], list[int]] = ([], [], [])
    for number, (form, base) in enumerate(zip(table.form_of, table.base_of, strict=True)):
        for start, found in zip(starts, (cells[number], beside[form], diagonal[form]), strict=True):
            start.append(len(near))
            near += found if found is cells[number] else [cell for step in found if (cell := frame[base + step]) >= 0]
    starts[0].append(len(near))
    return near, *starts


def _beside(table: PlacementTable) -> tuple[list[int], list[int]]:
    """Return where the list of the cells beside each cell begins, and these lists one after the other."""
    starts, beside = [0], list[int]()
    for point in table.grid.points:
        beside += table.grid.inside(table.grid.lattice.edge_neighbours(point))
        starts.append(len(beside))
    return starts, beside


def _places(table: PlacementTable, points: frozenset[tuple[int, int]]) -> list[int]:
    """Return points given around (0, 0) as steps in the table's frame."""
    return sorted(y * table.stride + x for x, y in points)


class _Walk:
    """The trees of placements, one for each cell; nearer cells come first, for they are the sooner closed."""

    def __init__(self, table: PlacementTable, cells: Sequence[Sequence[int]], pieces: Sequence[int]) -> None:
        self.at: list[int] = []
        self.cell: list[int] = []
        self.place: list[int] = []
        self.pieces: list[int] = []
        self.skip: list[int] = []
        covering: list[list[int]] = [[] for _ in table.grid.points]
        for number, covered in enumerate(cells):
            for cell in covered:
                covering[cell].append(number)
        points = table.grid.points
        wide, high = table.grid.lattice.pitch
        for cell, (x, y) in enumerate(points):
            self.at.append(len(self.cell))
            rank = [((near[0] - x) * wide) ** 2 + ((near[1] - y) * high) ** 2 for near in points]
            paths = sorted(
                (sorted(((rank[other], other) for other in cells[number])), number) for number in covering[cell]
            )
            self._add([([other for _, other in path], number) for path, number in paths], pieces)
        self.at.append(len(self.cell))

    def _add(self, paths: Sequence[tuple[Sequence[int], int]], pieces: Sequence[int]) -> None:
        """Write down the tree of these paths, which are sorted so that those with a common beginning stand together."""
        trail: list[int] = []
        before: Sequence[int] = ()
        for path, number in paths:
            common = next((i for i, (a, b) in enumerate(zip(path, before, strict=False)) if a != b), len(before))
            while len(trail) > common:
                self.skip[trail.pop()] = len(self.cell)
            for cell in path[common:]:
                trail.append(len(self.cell))
                self._node(cell)
            self.place[-1] = number
            for node in trail:
                self.pieces[node] |= 1 << pieces[number]
            before = path
        for node in trail:
            self.skip[node] = len(self.cell)

    def _node(self, cell: int) -> None:
        self.cell.append(cell)
        self.place.append(-1)
        self.pieces.append(0)
        self.skip.append(-1)
