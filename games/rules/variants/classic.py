"""The boxed game: 20 x 20, its corners clockwise; three players share a fourth colour."""

from dataclasses import replace

from games.rules.variants.base import Variant
from games.rules.variants.blockyou import BLOCKYOU_4

CLASSIC_4: Variant = replace(
    BLOCKYOU_4, id="classic-4", starts={"blue": ("a20",), "yellow": ("t20",), "red": ("t1",), "green": ("a1",)}
)
CLASSIC_3 = replace(CLASSIC_4, id="classic-3", seating=(("blue",), ("yellow",), ("red",)), shared=("green",))
CLASSIC_2 = replace(CLASSIC_4, id="classic-2", seating=(("blue", "red"), ("yellow", "green")))
