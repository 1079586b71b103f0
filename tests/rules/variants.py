"""Other boards, corners and stocks, as data: what proves that the engine asks for no variant's name."""

from dataclasses import replace

from games.rules import VARIANTS
from games.rules.geometry import rectangle
from games.rules.variants import Bonus, Variant

_FOUR = VARIANTS["blockyou-4"]

#: The same board with the corners of the box, clockwise from the upper left.
CLOCKWISE = replace(
    _FOUR, id="clockwise", starts={"blue": ("a20",), "yellow": ("t20",), "red": ("t1",), "green": ("a1",)}
)

#: Two colours on a small board, starting inside it.
DUO = Variant(
    id="duo",
    grid=rectangle(14, 14),
    colours=("purple", "orange"),
    starts={"purple": ("e10",), "orange": ("j5",)},
    pieces=_FOUR.pieces,
    bonus=Bonus(),
    seating=(("purple",), ("orange",)),
)

#: Two copies of twelve pieces each.
JUNIOR = replace(
    DUO,
    id="junior",
    pieces=tuple(
        piece
        for piece in _FOUR.pieces
        if piece.name in {"1", "2", "I3", "V3", "I4", "L4", "O", "T4", "Z4", "I5", "L5", "P"}
    ),
    bonus=Bonus(all_placed=0, monomino_last=0),
    copies=2,
)
