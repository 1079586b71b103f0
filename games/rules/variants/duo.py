"""Two players on 14 x 14, starting inside the board; with all pieces, or with two each of the simpler ones."""

from games.rules.geometry import rectangle
from games.rules.pieces import POLYOMINOES, SIMPLE_POLYOMINOES
from games.rules.variants.base import Bonus, Variant

DUO = Variant(
    id="duo",
    grid=rectangle(14, 14),
    colours=("purple", "orange"),
    starts={"purple": ("e10",), "orange": ("j5",)},
    pieces=POLYOMINOES,
    seating=(("purple",), ("orange",)),
)
JUNIOR = Variant(
    id="junior",
    grid=DUO.grid,
    colours=("green", "orange"),
    starts={"green": ("e10",), "orange": ("j5",)},
    pieces=SIMPLE_POLYOMINOES,
    bonus=Bonus(all_placed=0, monomino_last=0),
    seating=(("green",), ("orange",)),
    copies=2,
)
