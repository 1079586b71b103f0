"""A second engine for every variant, written from the rules as sets of cells with real corners.

It shares no code with `games.rules`: a cell is known by its vertices, two cells share a side if they have two vertices
in common and a corner if they have one. Placements are not made by turning pieces: they are all connected sets of cells
on the board, and which piece one is, its congruence class says. What a variant is, stands below once more by hand.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations

Cell = tuple[int, int]
Cells = frozenset[Cell]
Vertex = tuple[int, int]
#: The number of a congruence class.
Kind = int

_classes: dict[tuple[object, ...], Kind] = {}
_sizes: dict[Kind, int] = {}


@dataclass(frozen=True)
class Board:
    """A board by its cells, each with its vertices; `rise` is how much higher a vertex is from row to row."""

    name: str
    corners: Mapping[Cell, frozenset[Vertex]] = field(compare=False)
    rise: float
    largest: int


def squares(side: int) -> Board:
    """Return a board of squares."""
    cells = ((x, y) for x in range(side) for y in range(side))
    corners = {(x, y): frozenset({(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)}) for x, y in cells}
    return Board(f"squares {side}", corners, 1.0, 5)


def triangles(edge: int) -> Board:
    """Return a hexagon of triangles, counted as Pentobi does: the leftmost of the lowest row points down."""
    corners: dict[Cell, frozenset[Vertex]] = {}
    for y in range(2 * edge):
        left = max(edge - 1 - y, y - edge)
        for x in range(left, 4 * edge - 1 - left):
            points_down = (x - left) % 2 == (0 if y < edge else 1)
            flat, tip = (y + 1, y) if points_down else (y, y + 1)
            corners[x, y] = frozenset({(x, flat), (x + 2, flat), (x + 1, tip)})
    return Board(f"triangles {edge}", corners, 3**0.5, 6)


@cache
def touching(board: Board) -> dict[int, dict[Cell, Cells]]:
    """Return, by the number of vertices shared (2: a side, 1: a corner), each cell's neighbours."""
    at: dict[Vertex, list[Cell]] = {}
    for cell, vertices in board.corners.items():
        for vertex in vertices:
            at.setdefault(vertex, []).append(cell)
    shared: dict[int, dict[Cell, set[Cell]]] = {
        1: {c: set() for c in board.corners},
        2: {c: set() for c in board.corners},
    }
    for cell, vertices in board.corners.items():
        for other, count in Counter(near for vertex in vertices for near in at[vertex] if near != cell).items():
            shared[count][cell].add(other)
    return {count: {cell: frozenset(near) for cell, near in found.items()} for count, found in shared.items()}


@cache
def connected_sets(board: Board) -> tuple[Cells, ...]:
    """Return every set of cells that hang together by their sides, up to the largest piece's size."""
    beside = touching(board)[2]
    sets = {frozenset({cell}) for cell in board.corners}
    every = set(sets)
    for _ in range(board.largest - 1):
        sets = {held | {near} for held in sets for cell in held for near in beside[cell] if near not in held}
        every |= sets
    return tuple(every)


def kind_of(board: Board, cells: Iterable[Cell]) -> Kind:
    """Return the congruence class of a set of cells: alike if their middles are as far apart, cell by cell.

    Sets of up to six cells that turn or mirror into each other have equal classes, all others different ones.
    """
    held = sorted(cells)
    middles = [middle(board, cell) for cell in held]
    apart = {
        (one, other): round((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2, 3)
        for (one, a), (other, b) in combinations(zip(held, middles, strict=True), 2)
    }
    around = sorted(tuple(sorted(d for pair, d in apart.items() if cell in pair)) for cell in held)
    kind = _classes.setdefault((board.rise, len(held), tuple(around)), len(_classes))
    _sizes[kind] = len(held)
    return kind


def middle(board: Board, cell: Cell) -> tuple[float, float]:
    """Return where the middle of a cell lies."""
    vertices = board.corners[cell]
    return (
        sum(x for x, _ in vertices) / len(vertices),
        board.rise * sum(y for _, y in vertices) / len(vertices),
    )


@cache
def covering(board: Board) -> dict[Cell, list[tuple[Kind, Cells]]]:
    """Return, for each cell, every placement that covers it with its kind."""
    found: dict[Cell, list[tuple[Kind, Cells]]] = {cell: [] for cell in board.corners}
    for cells in connected_sets(board):
        kind = kind_of(board, cells)
        for cell in cells:
            found[cell].append((kind, cells))
    return found


@dataclass(frozen=True)
class Rules:
    """A variant once more, by hand. `listed` are shapes at the lower left of the board, `seats` own colours by seat.

    Without a list, every piece of the board is in the stock.
    """

    board: Board
    colours: tuple[str, ...]
    starts: Mapping[str, tuple[Cell, ...]]
    seats: tuple[tuple[str, ...], ...]
    listed: tuple[Cells, ...] = ()
    copies: int = 1
    shared: str = ""
    openers: Mapping[str, int] = field(default_factory=dict)
    ends_trailing: bool = False
    covers: bool = False
    bonus: tuple[int, int] = (15, 20)

    @property
    def stock(self) -> tuple[Cells, ...]:
        """The shapes in the stock of a colour; found when they are asked for, which takes a second a board."""
        return self.listed or tuple(shapes(self.board).values())


class NaiveGame:
    """The state of a game: who owns which cells, what is left, who is next, who passed in a row."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.owned: dict[str, set[Cell]] = {colour: set() for colour in rules.colours}
        stock = Counter({kind_of(rules.board, shape): rules.copies for shape in rules.stock})
        self.left = {colour: Counter(stock) for colour in rules.colours}
        self.last_size = dict.fromkeys(rules.colours, 0)
        self.placed = dict.fromkeys(rules.colours, 0)
        self.turn = self.passes = 0
        self.is_over = False

    @property
    def colour(self) -> str | None:
        return None if self.is_over else self.rules.colours[self.turn]

    @property
    def seat(self) -> int | None:
        if self.colour is None:
            return None
        if self.colour == self.rules.shared:
            return self.placed[self.colour] % len(self.rules.seats)
        return next(seat for seat, own in enumerate(self.rules.seats) if self.colour in own)

    def legal(self, colour: str) -> set[Cells]:
        """Return every placement of the colour, whosever turn it is."""
        near, own = touching(self.rules.board), self.owned[colour]
        taken = set().union(*self.owned.values())
        barred = taken.union(*(near[2][cell] for cell in own))
        links = set().union(*(near[1][cell] for cell in own)) if own else set(self.rules.starts[colour])
        most = self.rules.openers.get(colour, 9) if not own else 9
        left = self.left[colour]
        return {
            cells
            for link in links - barred
            for kind, cells in covering(self.rules.board)[link]
            if left[kind] > 0 and len(cells) <= most and cells.isdisjoint(barred)
        }

    def play(self, cells: Cells) -> None:
        colour = self.rules.colours[self.turn]
        self.owned[colour] |= cells
        self.left[colour][kind_of(self.rules.board, cells)] -= 1
        self.last_size[colour] = len(cells)
        self.placed[colour] += 1
        self.passes = 0
        self.turn = (self.turn + 1) % len(self.rules.colours)

    def after(self, cells: Cells) -> "NaiveGame":
        """Return another game in which this is placed."""
        game = copy(self)
        game.owned = {colour: set(held) for colour, held in self.owned.items()}
        game.left = {colour: Counter(left) for colour, left in self.left.items()}
        game.last_size, game.placed = dict(self.last_size), dict(self.placed)
        game.play(cells)
        return game

    def pass_turn(self) -> None:
        self.passes += 1
        scores = {colour: self.score(colour) for colour in self.rules.colours}
        mine = scores.pop(self.rules.colours[self.turn])
        self.is_over = self.passes == len(self.rules.colours)
        self.is_over |= self.rules.ends_trailing and all(mine < other for other in scores.values())
        self.turn = (self.turn + 1) % len(self.rules.colours)

    def score(self, colour: str) -> int:
        left = sum(count * _sizes[kind] for kind, count in self.left[colour].items())
        base = len(self.owned[colour]) if self.rules.covers else -left
        return base if left else base + self.rules.bonus[self.last_size[colour] == 1]


def at(name: str) -> Cell:
    """Return the cell of a name such as a1 or aa12."""
    letters, digits = name.rstrip("0123456789"), name.lstrip("abcdefghijklmnopqrstuvwxyz")
    column = 0
    for letter in letters:
        column = 26 * column + ord(letter) - 96
    return column - 1, int(digits) - 1


@cache
def shapes(board: Board) -> dict[Kind, Cells]:
    """Return one set of cells of each congruence class on the board."""
    return {kind_of(board, cells): cells for cells in connected_sets(board)}
