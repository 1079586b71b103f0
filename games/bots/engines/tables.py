"""A board as flat tables of numbers, which is all that the thinking engines see of the rules.

They are made from the rules' own table of placements: ids of placements, cells and pieces are the same here and there.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from games.bots.engines.compiled import Numbers, numbers, unsigned_numbers
from games.rules import Position
from games.rules.geometry import Point, corner_border, edge_border
from games.rules.placement import PlacementTable, table_for

#: How many of the cells around a cell choose the list of shapes.
NEAREST = 6

#: Boards whose tables are kept at a time in a process, some 4 MB each.
MOST_BOARDS = 6


class Tables(NamedTuple):
    """The geometry of a board and its pieces.

    Of placement p: `piece[p]`, `size[p]`, and in `near` its cells from `cells_at[p]` on, the cells beside it from
    `edges_at[p]` on, those at its corners from `corners_at[p]` up to `cells_at[p + 1]`.

    `around` are the cells that a placement covering a cell may cover too, `width` for each cell (itself instead of one
    off the board), nearest first: a number of that many bits says which are closed, and `outside` which are off the
    board. By what kind of cell it is, a placement's size (0: of any), and which of the `NEAREST` first are closed,
    `fits_at` tells where in `fits` the list begins of the shapes that may still fit: for each the bits of its cells
    beside the one itself, in `fit_pieces` its piece and in `fit_shapes` its number. `ids` has by cell and shape the
    placement. `kind` is by cell where the lists of its kind begin.

    `sized[n]` are the pieces of n cells, as bits. The cells beside cell x are in `beside` from `beside_at[x]` up to
    `beside_at[x + 1]`.
    """

    piece: Numbers
    size: Numbers
    cells_at: Numbers
    edges_at: Numbers
    corners_at: Numbers
    near: Numbers
    around: Numbers
    outside: Numbers
    kind: Numbers
    fits_at: Numbers
    needs_at: Numbers
    needs: Numbers
    fits: Numbers
    fit_pieces: Numbers
    fit_shapes: Numbers
    ids: Numbers
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
    fits = _Fits(table, cells)
    beside_at, beside = _beside(table)
    return Tables(
        piece=numbers(pieces, 8),
        size=numbers([len(each) for each in cells], 8),
        cells_at=numbers(cells_at),
        edges_at=numbers(edges_at),
        corners_at=numbers(corners_at),
        near=unsigned_numbers(near, 16),
        around=unsigned_numbers(fits.around, 16),
        outside=numbers(fits.outside, 64),
        kind=numbers(fits.kind),
        fits_at=numbers(fits.at),
        needs_at=numbers(fits.needs_at),
        needs=numbers(fits.needs, 8),
        fits=numbers(fits.bits, 64),
        fit_pieces=numbers(fits.pieces, 8),
        fit_shapes=numbers(fits.shapes, 16),
        ids=numbers(fits.ids),
        sized=numbers(_sized(pieces, [len(each) for each in cells]), 64),
        beside_at=numbers(beside_at),
        beside=unsigned_numbers(beside, 16),
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


class _Fits:
    """What may be placed on a cell, by which of the cells around it are closed: the same wherever its kind of cell is.

    The shapes of a list are in the order of their cells, from the nearest on.
    """

    def __init__(self, table: PlacementTable, cells: Sequence[Sequence[int]]) -> None:
        self.at: list[int] = []
        self.needs_at: list[int] = []
        self.needs: list[int] = []
        self.bits: list[int] = []
        self.pieces: list[int] = []
        self.shapes: list[int] = []
        self.around: list[int] = []
        self.outside: list[int] = []
        self._lattice = table.grid.lattice
        self._forms = table.forms
        kinds = sorted({self._lattice.kind(point) for point in table.grid.points})
        sizes = max(len(form.shape) for form in table.forms) + 1
        # By kind: the cell of each form that a shape is seen from, in the order of the shapes.
        seen = {kind: self._seen_from(kind) for kind in kinds}
        near = {kind: self._near(seen[kind]) for kind in kinds}
        width = max(map(len, near.values()))
        for kind in kinds:
            self._list(seen[kind], near[kind], sizes)
        self.at.append(len(self.bits))
        self.needs_at.append(len(self.needs))
        self.kind = [kinds.index(self._lattice.kind(point)) * sizes for point in table.grid.points]
        for cell, point in enumerate(table.grid.points):
            self._look_around(table, cell, near[self._lattice.kind(point)], width)
        stride = max(map(len, seen.values()))
        self.ids = [-1] * (stride * len(table.grid.points))
        numbered = {pair: number for pairs in seen.values() for number, pair in enumerate(pairs)}
        for number, form in enumerate(table.form_of):
            for place, cell in enumerate(cells[number]):
                self.ids[cell * stride + numbered[form, place]] = number

    def _seen_from(self, kind: int) -> list[tuple[int, int]]:
        """Return form and number of cell of every shape on a kind of cell."""
        pairs = [
            (form.number, place)
            for form in self._forms
            for place, point in enumerate(form.shape)
            if self._lattice.kind(point) == kind
        ]
        return sorted(pairs, key=lambda pair: sorted(map(self._rank, self._others(*pair))))

    def _others(self, form: int, place: int) -> list[Point]:
        """Return the other cells of a form around that one."""
        shape = self._forms[form].shape
        x, y = shape[place]
        return [(a - x, b - y) for a, b in shape if (a, b) != (x, y)]

    def _rank(self, step: Point) -> tuple[float, int, int]:
        wide, high = self._lattice.pitch
        return (step[0] * wide) ** 2 + (step[1] * high) ** 2, step[1], step[0]

    def _near(self, pairs: Sequence[tuple[int, int]]) -> list[Point]:
        """Return the cells that these shapes cover, around the one itself: those most of them cover first."""
        counted = Counter(step for pair in pairs for step in self._others(*pair))
        return sorted(counted, key=lambda step: (-counted[step], self._rank(step)))

    def _list(self, pairs: Sequence[tuple[int, int]], near: Sequence[Point], sizes: int) -> None:
        bit_of = {step: 1 << number for number, step in enumerate(near)}
        every = [
            (sum(bit_of[step] for step in self._others(*pair)), self._forms[pair[0]], number)
            for number, pair in enumerate(pairs)
        ]
        for size in range(sizes):
            sized = [each for each in every if size in (0, len(each[1].shape))]
            for closed in range(1 << NEAREST):
                self.at.append(len(self.bits))
                needed = 0
                for bits, form, number in sized:
                    if not bits & closed:
                        self.bits.append(bits)
                        self.pieces.append(form.piece)
                        self.shapes.append(number)
                        needed |= bits
                self.needs_at.append(len(self.needs))
                self.needs += [number for number in range(NEAREST, len(near)) if needed >> number & 1]

    def _look_around(self, table: PlacementTable, cell: int, near: Sequence[Point], width: int) -> None:
        x, y = table.grid.points[cell]
        outside = 0
        for number in range(width):
            inside = table.grid.inside([(x + near[number][0], y + near[number][1])]) if number < len(near) else ()
            self.around.append(inside[0] if inside else cell)
            outside |= 0 if inside else 1 << number
        self.outside.append(outside)
