"""A second engine, written from RULES as sets of cells and nothing else: slow, plain, independent.

It shares no code with `games.rules`: shapes are grown cell by cell, not read from the piece list. A
cell is (x, y) from the lower left, a piece is its canonical free shape, a placement is the frozen set
of the cells it covers.
"""

from collections.abc import Iterable
from functools import cache

Cell = tuple[int, int]
Cells = frozenset[Cell]

CORNERS = {"blue": (0, 0), "yellow": (19, 0), "red": (0, 19), "green": (19, 19)}
BOARD = frozenset((x, y) for x in range(20) for y in range(20))


def beside(cell: Cell) -> set[Cell]:
    x, y = cell
    return {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}


def diagonal(cell: Cell) -> set[Cell]:
    x, y = cell
    return {(x + 1, y + 1), (x - 1, y + 1), (x + 1, y - 1), (x - 1, y - 1)}


def to_origin(cells: Iterable[Cell]) -> Cells:
    held = list(cells)
    left, low = min(x for x, _ in held), min(y for _, y in held)
    return frozenset((x - left, y - low) for x, y in held)


def forms(shape: Iterable[Cell]) -> set[Cells]:
    """Return every turned and mirrored form of a shape."""
    held, found = list(shape), set()
    for _ in range(4):
        held = [(-y, x) for x, y in held]
        found |= {to_origin(held), to_origin((-x, y) for x, y in held)}
    return found


def free(shape: Iterable[Cell]) -> Cells:
    """Return the one form that stands for all of them."""
    return min(forms(shape), key=sorted)


@cache
def free_polyominoes(size: int) -> frozenset[Cells]:
    """Return all free polyominoes of a size, grown from those one cell smaller."""
    if size == 1:
        return frozenset({frozenset({(0, 0)})})
    return frozenset(
        free(shape | {extra})
        for shape in free_polyominoes(size - 1)
        for cell in shape
        for extra in beside(cell) - shape
    )


@cache
def placements_by_cell() -> dict[Cell, list[tuple[Cells, Cells]]]:
    """Return, for each cell, every (piece, placement) of the empty board that covers it."""
    covering: dict[Cell, list[tuple[Cells, Cells]]] = {cell: [] for cell in BOARD}
    for piece in (shape for size in range(1, 6) for shape in free_polyominoes(size)):
        for form in forms(piece):
            for left, low in BOARD:
                cells = frozenset((x + left, y + low) for x, y in form)
                if cells <= BOARD:
                    for cell in cells:
                        covering[cell].append((piece, cells))
    return covering


class NaiveGame:
    """The state of a game: who owns which cells, what is left, who is next, who passed in a row."""

    def __init__(self, colours: Iterable[str], corners: dict[str, Cell] | None = None) -> None:
        self.order = list(colours)
        self.corners = corners or CORNERS
        self.owned: dict[str, set[Cell]] = {colour: set() for colour in self.order}
        self.left = {c: {s for n in range(1, 6) for s in free_polyominoes(n)} for c in self.order}
        self.last_size = dict.fromkeys(self.order, 0)
        self.turn = 0
        self.passes = 0

    @property
    def colour(self) -> str | None:
        return None if self.passes == len(self.order) else self.order[self.turn]

    def legal(self, colour: str) -> set[Cells]:
        """Return every placement of the colour, whosever turn it is."""
        own = self.owned[colour]
        taken = set().union(*self.owned.values())
        barred = taken | {near for cell in own for near in beside(cell)}
        links = {near for cell in own for near in diagonal(cell)} & BOARD if own else {self.corners[colour]}
        covering, left = placements_by_cell(), self.left[colour]
        return {
            cells
            for link in links - barred
            for piece, cells in covering[link]
            if cells.isdisjoint(barred) and piece in left
        }

    def play(self, cells: Cells) -> None:
        colour = self.order[self.turn]
        self.owned[colour] |= cells
        self.left[colour].remove(free(cells))
        self.last_size[colour] = len(cells)
        self.passes = 0
        self.turn = (self.turn + 1) % len(self.order)

    def pass_turn(self) -> None:
        self.passes += 1
        self.turn = (self.turn + 1) % len(self.order)

    def score(self, colour: str) -> int:
        cells = sum(len(piece) for piece in self.left[colour])
        if cells:
            return -cells
        return 20 if self.last_size[colour] == 1 else 15
