"""Triangles on a hexagon for four, three and two; every colour may start at any start cell that is still free."""

from dataclasses import replace

from games.rules.geometry import hexagon
from games.rules.pieces import polyiamonds
from games.rules.variants.base import Variant

_LARGE, _SMALL = hexagon(9), hexagon(8)
_COLOURS = ("blue", "yellow", "red", "green")
_LARGE_STARTS = ("r15", "r4", "j12", "j7", "z12", "z7")
_SMALL_STARTS = ("p14", "p3", "h11", "h6", "x11", "x6")

TRIGON_4 = Variant(
    id="trigon-4",
    grid=_LARGE,
    colours=_COLOURS,
    starts=dict.fromkeys(_COLOURS, _LARGE_STARTS),
    pieces=polyiamonds(_LARGE.lattice),
    seating=(("blue",), ("yellow",), ("red",), ("green",)),
)
TRIGON_3 = Variant(
    id="trigon-3",
    grid=_SMALL,
    colours=_COLOURS[:3],
    starts=dict.fromkeys(_COLOURS[:3], _SMALL_STARTS),
    pieces=polyiamonds(_SMALL.lattice),
    seating=(("blue",), ("yellow",), ("red",)),
)
TRIGON_2 = replace(TRIGON_4, id="trigon-2", seating=(("blue", "red"), ("yellow", "green")))
