"""Block-You for four, three and two: 20 x 20, the specification's corners.

Rule: R1, R3, R7, R10
"""

from dataclasses import replace

from games.rules.geometry import rectangle
from games.rules.pieces import POLYOMINOES
from games.rules.variants.base import Variant

BLOCKYOU_4 = Variant(
    id="blockyou-4",
    grid=rectangle(20, 20),
    colours=("blue", "yellow", "red", "green"),
    starts={"blue": ("a1",), "yellow": ("t1",), "red": ("a20",), "green": ("t20",)},
    pieces=POLYOMINOES,
    seating=(("blue",), ("yellow",), ("red",), ("green",)),
)
BLOCKYOU_3 = replace(BLOCKYOU_4, id="blockyou-3", seating=(), choosable_colours=3)
BLOCKYOU_2 = replace(BLOCKYOU_4, id="blockyou-2", seating=(("blue", "red"), ("yellow", "green")))
