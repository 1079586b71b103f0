"""Placements, and the table that numbers every placement a board has room for.

A table is built once for each board and set of pieces, in about a tenth of a second, and then kept:
every variant on the same board with the same pieces shares it.
"""

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache, lru_cache
from operator import index
from typing import NamedTuple, SupportsIndex

from games.rules.frozen import Frozen
from games.rules.geometry import Grid, Point, Shape, corner_border, edge_border, row_by_row
from games.rules.notation import format_cell, format_placement, parse_placement
from games.rules.pieces import Piece
from games.rules.variants import VARIANTS, Variant, get_variant

#: Tables of boards of a chosen size kept at a time, some 4 MB each with the masks of its boards; others stay for good.
MOST_TABLES = 8


class Placement(Frozen):
    """A piece in one orientation at one place: a small value, equal and hashed by what it covers.

    `id` is the number in the table of the variant; ids ascend by anchor row by row, then by
    shape. `cells` are indices of cells, ascending, which is bottom
    row first and left to right; `points` are the same as (x, y). `anchor` is the lower left corner
    of the box around them. `orientation` is an index into the orientations of the piece.

    A text may also name a placement that no board has room for, or cells that form no piece. It is
    then a placement with `id` None, which every position refuses with reasons: `points` keeps all
    that was asked for, `cells` those on the board, `piece` the piece named (or else formed, or else
    an empty text), and `orientation` is None unless the points form that piece.
    """

    __slots__ = ("anchor", "cells", "id", "orientation", "piece", "points")

    id: int | None
    piece: str
    orientation: int | None
    points: Shape
    cells: tuple[int, ...]
    anchor: Point

    def __init__(
        self, number: int | None, piece: str, orientation: int | None, points: Shape, cells: tuple[int, ...]
    ) -> None:
        anchor = (min(x for x, _ in points), min(y for _, y in points))
        for name, value in zip(
            ("id", "piece", "orientation", "points", "cells", "anchor"),
            (number, piece, orientation, points, cells, anchor),
            strict=True,
        ):
            object.__setattr__(self, name, value)

    @staticmethod
    def parse(text: str, variant: str | Variant = "blockyou-4") -> "Placement":
        """Return the placement that a text means: `V3:a1,b1,a2`, `V3 a1,b1,a2` or the cells alone.

        Whether it is legal is a question for a position.

        Raises:
            UnreadablePlacement: the text is no placement, or names a piece the variant lacks.

        """
        return table_for(get_variant(variant)).parse(text)

    def __str__(self) -> str:
        return format_placement(self.piece, self.points)

    def __repr__(self) -> str:
        return f"<Placement {self.id} {self}>"

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Placement):
            return NotImplemented
        return (self.id, self.piece, self.points) == (other.id, other.piece, other.points)

    def __lt__(self, other: "Placement") -> bool:
        return self._order < other._order

    def __hash__(self) -> int:
        return hash((self.piece, self.points))

    def __reduce__(self) -> tuple[type["Placement"], tuple[object, ...]]:
        return Placement, (self.id, self.piece, self.orientation, self.points, self.cells)

    @property
    def _order(self) -> tuple[bool, int, str]:
        """Return what placements are sorted by: their ids, those without one last."""
        return self.id is None, self.id or 0, str(self)


class Form(NamedTuple):
    """A piece in one orientation, before it has a place; `number` counts through a table's forms."""

    number: int
    piece: int
    orientation: int
    shape: Shape


class PlacementTable:
    """Every placement of some pieces on one board, numbered from 0.

    `form_of[id]` is the number of the placement's form and `base_of[id]` the point, as a number in
    the frame, at which the form's (0, 0) lies. The frame is the board with the lattice's margin on
    each side, `stride` wide, so that a step from one cell to another is the same number everywhere
    and a step over the side of the board still lands in the frame. `steps[form]` lead from the base to
    the cells; `edge_steps[form]` and `corner_steps[form]` to as few of them as have between them every
    cell beside the form, and every cell at a corner of it. `frame[place]` is the index of the cell
    there, or -1.
    """

    def __init__(self, grid: Grid, pieces: tuple[Piece, ...]) -> None:
        self.grid = grid
        self.pieces = pieces
        self.piece_number = {piece.name: number for number, piece in enumerate(pieces)}
        self.forms = tuple(_forms(pieces))
        self._left, self._below = grid.lattice.margin
        self.stride = grid.width + 2 * self._left
        self._extents = [_extent(form.shape) for form in self.forms]
        lattice = grid.lattice
        self.steps = [self._steps(form.shape) for form in self.forms]
        shapes = [form.shape for form in self.forms]
        self.edge_steps = [self._steps(_few(s, edge_border(lattice, s), lattice.edge_neighbours)) for s in shapes]
        self.corner_steps = [self._steps(_few(s, corner_border(lattice, s), lattice.corner_neighbours)) for s in shapes]
        self.frame = array("h", [-1]) * (self.stride * (grid.height + 2 * self._below))
        for number, point in enumerate(grid.points):
            self.frame[self.frame_number(point)] = number
        self.form_of = array("h")
        self.base_of = array("h")
        self._ids = {form.number: array("i") for form in self.forms}
        self._number_all()
        self._made: dict[int, Placement] = {}
        self._by_shape = {form.shape: form for form in self.forms}
        self._by_steps = {self._key(form): form for form in self.forms}
        self._place_of_cell = {format_cell(point): self.frame_number(point) for point in grid.points}
        self._kind_at = {self.frame_number(point): lattice.kind(point) for point in grid.points}

    def __len__(self) -> int:
        return len(self.form_of)

    def frame_number(self, point: Point) -> int:
        """Return the number of a point in the frame."""
        return (point[1] + self._below) * self.stride + point[0] + self._left

    def _key(self, form: Form) -> tuple[str | int, ...]:
        """Return what text says of a form: its piece's name, how its first cell lies, the steps from there to each."""
        steps = self.steps[form.number]
        kind = self.grid.lattice.kind(form.shape[0])
        return self.pieces[form.piece].name, kind, *[step - steps[0] for step in steps]

    def _steps(self, points: Iterable[Point]) -> tuple[int, ...]:
        """Return the steps in the frame that lead from a base to points given around (0, 0)."""
        return tuple(y * self.stride + x for x, y in row_by_row(points))

    def _number_all(self) -> None:
        """Give every placement on the board its number: anchor after anchor, each form after form."""
        frame, steps = self.frame, self.steps
        for point in _anchors(self.grid):
            base = self.frame_number(point)
            for number in self._fitting(point):
                if min([frame[base + step] for step in steps[number]]) >= 0:
                    self._ids[number].append(len(self.form_of))
                    self.form_of.append(number)
                    self.base_of.append(base)

    def _fitting(self, point: Point) -> list[int]:
        """Return the forms that stay in the box around the board when their (0, 0) lies at a point."""
        right, top = self.grid.width - point[0], self.grid.height - point[1]
        return [number for number, (width, height) in enumerate(self._extents) if width <= right and height <= top]

    def placement(self, placement_id: SupportsIndex) -> Placement:
        """Return the placement of that id, always the same object; IndexError if there is none."""
        # A number from elsewhere, such as numpy's, equals ours as a key and would stay in the table for good.
        number = index(placement_id)
        made = self._made.get(number)
        if made is None:
            if not 0 <= number < len(self):
                raise IndexError(f"There is no placement {number}.")
            made = self._made[number] = self._make(number)
        return made

    def _make(self, placement_id: int) -> Placement:
        form = self.forms[self.form_of[placement_id]]
        cells = self.cells_of(placement_id)
        points = tuple(map(self.grid.points.__getitem__, cells))
        return Placement(placement_id, self.pieces[form.piece].name, form.orientation, points, cells)

    def cells_of(self, placement_id: int) -> tuple[int, ...]:
        """Return the indices of the cells that the placement covers, ascending."""
        base, frame = self.base_of[placement_id], self.frame
        return tuple([frame[base + step] for step in self.steps[self.form_of[placement_id]]])

    def parse(self, text: str) -> Placement:
        """Return the placement that a text means; see `Placement.parse`."""
        # Most texts are canonical: we have written them. What is no text at all is told so below.
        with suppress(KeyError):
            if isinstance(text, str):
                return self.placement(self.id_of_text(text))
        name, points = parse_placement(text, self.piece_number)
        return self.resolve(points, name)

    def id_of_text(self, text: str) -> int:
        """Return the id of a placement given as canonical text, quickly.

        Raises:
            KeyError: the text is not canonical, or the table has no such placement.

        """
        name, _, cells = text.partition(":")
        places = [self._place_of_cell[cell] for cell in cells.split(",")]
        first = places[0]
        form = self._by_steps[name, self._kind_at[first], *[place - first for place in places]]
        return self._find(form, first)

    def resolve(self, points: Shape, name: str = "") -> Placement:
        """Return the placement that covers these points, with id None where the table has none.

        With a name, the points have to form that piece.
        """
        form = self._form_of(points)
        formed = self.pieces[form.piece].name if form else ""
        cells = self.grid.inside(points)
        if form is None or (name and name != formed):
            return Placement(None, name, None, row_by_row(points), cells)
        if len(cells) < len(points):
            return Placement(None, formed, form.orientation, row_by_row(points), cells)
        return self.placement(self._find(form, self.frame_number(row_by_row(points)[0])))

    def formed_piece(self, points: Shape) -> str:
        """Return the name of the piece that the points form, on the board or not, or an empty text."""
        form = self._form_of(points)
        return self.pieces[form.piece].name if form else ""

    def form_number(self, points: Shape) -> int:
        """Return the number of the form that the points have; KeyError if they form no piece."""
        return self._by_shape[self.grid.lattice.normalise(points)].number

    def id_at(self, form: int, first: int) -> int:
        """Return the id of the placement of a form whose first cell has that index; there must be one."""
        return self._find(self.forms[form], self.frame_number(self.grid.points[first]))

    def _form_of(self, points: Shape) -> Form | None:
        return self._by_shape.get(self.grid.lattice.normalise(points))

    def _find(self, form: Form, first: int) -> int:
        """Return the id of the placement of a form whose first cell lies at that place of the board."""
        ids = self._ids[form.number]
        return ids[bisect_left(ids, first - self.steps[form.number][0], key=self.base_of.__getitem__)]


def _forms(pieces: tuple[Piece, ...]) -> Iterator[Form]:
    """Yield every piece in every orientation, sorted by shape.

    Forms of like shape are legal at the same places, so their ids lie close together in legal sets.
    """
    shapes = [
        (shape, piece_number, orientation)
        for piece_number, piece in enumerate(pieces)
        for orientation, shape in enumerate(piece.orientations)
    ]
    for number, (shape, piece_number, orientation) in enumerate(sorted(shapes)):
        yield Form(number, piece_number, orientation, shape)


def _few(shape: Shape, border: frozenset[Point], neighbours: Callable[[Point], Shape]) -> list[Point]:
    """Return a few points of a shape that have all of its border between them as neighbours."""
    few: list[Point] = []
    missing = set(border)
    while missing:
        best = max(shape, key=lambda point: len(missing.intersection(neighbours(point))))
        missing.difference_update(neighbours(best))
        few.append(best)
    return few


def _extent(shape: Shape) -> tuple[int, int]:
    return max(x for x, _ in shape) + 1, max(y for _, y in shape) + 1


def _anchors(grid: Grid) -> list[Point]:
    """Return the points, row by row, that a shape's (0, 0) may be moved to: those of the box around the board.

    Where a shape's least column need not be 0, its (0, 0) may lie beside the box.
    """
    beside = grid.lattice.margin[0] - 1
    box = [(x, y) for y in range(grid.height) for x in range(-beside, grid.width)]
    return [point for point in box if grid.lattice.can_shift(point)]


def action_count(variant: str | Variant) -> int:
    """Return how many placements a variant numbers: every id is from 0 to one less, whatever the position.

    Raises:
        UnknownVariant: there is none of that id.

    """
    return len(table_for(get_variant(variant)))


def table_for(variant: Variant) -> PlacementTable:
    """Return the table of the variant, built when it is first asked for."""
    return _offered(variant) if variant.id in VARIANTS else _table(variant)


@cache
def _offered(variant: Variant) -> PlacementTable:
    return _table(variant)


def _table(variant: Variant) -> PlacementTable:
    board = _board_of(variant)
    return _kept(*board) if board in offered_boards() else _sized(*board)


def _board_of(variant: Variant) -> tuple[Grid, tuple[Piece, ...]]:
    return variant.grid, variant.numbered or variant.pieces


@cache
def offered_boards() -> frozenset[tuple[Grid, tuple[Piece, ...]]]:
    """Return the boards, with the pieces that are numbered on them, of all variants on offer."""
    return frozenset(map(_board_of, VARIANTS.values()))


@cache
def _kept(grid: Grid, pieces: tuple[Piece, ...]) -> PlacementTable:
    return PlacementTable(grid, pieces)


@lru_cache(maxsize=MOST_TABLES)
def _sized(grid: Grid, pieces: tuple[Piece, ...]) -> PlacementTable:
    return PlacementTable(grid, pieces)
