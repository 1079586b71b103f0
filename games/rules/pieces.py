"""Pieces: free polyominoes (or other shapes of a lattice) with their orientations.

Rule: R1 (the 21 pieces), R2 (turning and flipping)
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from games.rules.geometry import SQUARES, Lattice, Shape
from games.rules.notation import parse_placement


@dataclass(frozen=True)
class Piece:
    """A shape that may be turned and flipped before it is placed.

    `cells` is the orientation in which the piece is listed; it is also `orientations[0]`.
    `orientations` holds each distinct turned or flipped form once, as points row by row, y upward,
    moved to (0, 0). `turns[i]` is the number of the orientation that a clockwise turn makes of
    orientation i; `flips[i]` the one that mirroring left to right makes of it.
    """

    name: str
    orientations: tuple[Shape, ...]
    turns: tuple[int, ...]
    flips: tuple[int, ...]

    @classmethod
    def from_shape(cls, name: str, shape: Shape, lattice: Lattice) -> "Piece":
        """Return the piece of that shape with every orientation that the lattice gives it."""
        forms: list[Shape] = []
        for form in (lattice.normalise(shape), lattice.flip(shape)):
            while form not in forms:
                forms.append(form)
                form = lattice.turn(form)
        turns = tuple(forms.index(lattice.turn(form)) for form in forms)
        flips = tuple(forms.index(lattice.flip(form)) for form in forms)
        return cls(name, tuple(forms), turns, flips)

    @property
    def cells(self) -> Shape:
        """Return the points of the orientation in which the piece is listed."""
        return self.orientations[0]

    @cached_property
    def size(self) -> int:
        """Return the number of cells."""
        return len(self.cells)


def pieces_from_text(listing: str, lattice: Lattice = SQUARES) -> tuple[Piece, ...]:
    """Return the pieces of a listing `name: cells` a line, in its order."""
    return tuple(_piece_from_line(line, lattice) for line in listing.split("\n") if line.strip())


def _piece_from_line(line: str, lattice: Lattice) -> Piece:
    name, _, cells = line.partition(":")
    _, shape = parse_placement(cells.strip().replace(" ", ","), ())
    right, up = lattice.origin
    return Piece.from_shape(name.strip(), tuple((x + right, y + up) for x, y in shape), lattice)


def by_name(pieces: tuple[Piece, ...]) -> Mapping[str, Piece]:
    """Return the pieces by their names."""
    return {piece.name: piece for piece in pieces}


#: The 21 free polyominoes of one to five cells, smallest first. Rule: R1
POLYOMINOES = pieces_from_text(
    """
    1: a1
    2: a1 b1
    I3: a1 a2 a3
    V3: a1 b1 a2
    I4: a1 a2 a3 a4
    L4: a1 b1 a2 a3
    O: a1 b1 a2 b2
    T4: b1 a2 b2 c2
    Z4: b1 c1 a2 b2
    F: b1 a2 b2 b3 c3
    I5: a1 a2 a3 a4 a5
    L5: a1 b1 a2 a3 a4
    N: a1 a2 b2 b3 b4
    P: a1 a2 b2 a3 b3
    T5: b1 b2 a3 b3 c3
    U: a1 b1 c1 a2 c2
    V5: a1 b1 c1 a2 a3
    W: b1 c1 a2 b2 a3
    X: b1 a2 b2 c2 b3
    Y: b1 b2 a3 b3 b4
    Z5: b1 c1 b2 a3 b3
    """
)

#: The twelve of them that the game for children has, each twice.
SIMPLE_POLYOMINOES = tuple(
    piece for piece in POLYOMINOES if piece.name in {"1", "2", "I3", "V3", "I4", "L4", "O", "T4", "Z4", "I5", "L5", "P"}
)

_POLYIAMONDS = """
    1: a1
    2: a1 b1
    I3: a1 b1 c1
    A4: a1 b1 c1 b2
    C4: a1 b1 a2 b2
    I4: a1 b1 c1 d1
    C5: b1 c1 d1 b2 c2
    I5: a1 b1 c1 d1 e1
    L5: a1 b1 c1 d1 d2
    P5: a1 b1 c1 d1 b2
    A6: a1 b1 c1 d1 b2 c2
    F: a1 b1 c1 d1 b2 d2
    G: a1 b1 c1 d1 c2 d2
    I6: a1 b1 c1 d1 e1 f1
    L6: b1 c1 d1 e1 f1 b2
    O: b1 c1 d1 b2 c2 d2
    P6: a1 b1 c1 d1 e1 b2
    S: b1 c1 d1 d2 e2 f2
    V: a1 b1 c1 d1 d2 e2
    W: b1 c1 d1 e1 f1 d2
    X: a1 b1 c1 a2 b2 c2
    Y: a1 b1 c1 d1 a2 b2
    """


def polyiamonds(lattice: Lattice) -> tuple[Piece, ...]:
    """Return the 22 free polyiamonds of one to six triangles, smallest first, on a lattice of triangles.

    They are written down where a1 points up. The names are those of Pentobi.
    """
    return pieces_from_text(_POLYIAMONDS, lattice)
