"""The baseline of `benchmarks.rules`: the rules as an AND of shifted bitboards, without any table of placements.

A board is one integer with a bit a cell, rows 21 wide so that a step over the side falls on a bit that is no cell. The
places where a form fits are found for all anchors at once: AND of the allowed cells shifted by each of its cells, AND
an OR of the attach points shifted likewise. It keeps nothing between two questions.
"""

from collections.abc import Iterator
from random import Random

from games.rules import VARIANTS

SIDE, ROW = 20, 21
VARIANT = VARIANTS["blockyou-4"]
CELLS = sum(1 << (y * ROW + x) for y in range(SIDE) for x in range(SIDE))
STARTS = [
    1 << (VARIANT.grid.points[cells[0]][1] * ROW + VARIANT.grid.points[cells[0]][0])
    for cells in VARIANT.start_cells.values()
]

#: Each piece's forms, each as the distances of its cells from its anchor.
FORMS = {piece.name: [tuple(y * ROW + x for x, y in form) for form in piece.orientations] for piece in VARIANT.pieces}


class ShiftedBoard:
    """A game in progress: cells of each colour, and the names of their pieces left. It changes as it is played."""

    def __init__(self) -> None:
        self.own = [0, 0, 0, 0]
        self.left = [dict(FORMS) for _ in range(4)]
        self.turn = 0
        self.passes = 0

    def copy(self) -> "ShiftedBoard":
        """Return a board that may be played on by itself."""
        other = ShiftedBoard.__new__(ShiftedBoard)
        other.own, other.left = self.own.copy(), [left.copy() for left in self.left]
        other.turn, other.passes = self.turn, self.passes
        return other

    def cells(self) -> tuple[int, int]:
        """Return the cells the colour to play may cover, and those of them of which it has to cover one."""
        own = self.own[self.turn]
        beside = own << 1 | own >> 1 | own << ROW | own >> ROW
        allowed = CELLS & ~(self.own[0] | self.own[1] | self.own[2] | self.own[3] | beside)
        if not own:
            return allowed, STARTS[self.turn] & allowed
        corners = own << ROW + 1 | own << ROW - 1 | own >> ROW + 1 | own >> ROW - 1
        return allowed, corners & allowed

    def anchors(self) -> Iterator[tuple[str, tuple[int, ...], int]]:
        """Yield each piece and form with the set of anchors at which it is legal."""
        allowed, links = self.cells()
        for name, forms in self.left[self.turn].items():
            for form in forms:
                fits, meets = -1, 0
                for step in form:
                    fits &= allowed >> step
                    meets |= links >> step
                yield name, form, fits & meets

    def mask(self) -> list[int]:
        """Return the legal set, one integer for each form left."""
        return [anchors for _, _, anchors in self.anchors()]

    def placements(self) -> tuple[tuple[str, tuple[int, ...], int], ...]:
        """Return every legal placement: piece, form, anchor."""
        found = []
        for name, form, anchors in self.anchors():
            while anchors:
                low = anchors & -anchors
                found.append((name, form, low.bit_length() - 1))
                anchors ^= low
        return tuple(found)

    def has_any(self) -> bool:
        """Return whether there is a legal placement, looking no further than the first form that has one."""
        return any(anchors for _, _, anchors in self.anchors())

    def is_legal(self, name: str, form: tuple[int, ...], anchor: int) -> bool:
        """Return whether one placement is legal."""
        allowed, links = self.cells()
        cells = sum(1 << anchor + step for step in form)
        return name in self.left[self.turn] and not cells & ~allowed and bool(cells & links)

    def play(self, name: str, form: tuple[int, ...], anchor: int) -> None:
        """Place a piece for the colour to play."""
        self.own[self.turn] |= sum(1 << anchor + step for step in form)
        del self.left[self.turn][name]
        self.passes = 0
        self.turn = (self.turn + 1) % 4

    def pass_turn(self) -> None:
        """Pass for the colour to play."""
        self.passes += 1
        self.turn = (self.turn + 1) % 4


def random_game(dice: Random) -> int:
    """Play a random game to its end and return its number of turns."""
    board, turns = ShiftedBoard(), 0
    while board.passes < 4:
        found = board.placements()
        if found:
            board.play(*found[int(dice.random() * len(found))])
        else:
            board.pass_turn()
        turns += 1
    return turns
