"""The rules of Block-You: a library that needs the standard library alone.

`Position` answers what may be played and plays it; `Placement` is what is played; `VARIANTS` is what
there is to play. The rules R1-R12 are told in docs/rules.md.
"""

from games.rules.errors import IllegalPlacement, UnreadablePlacement
from games.rules.placement import Placement
from games.rules.position import Position
from games.rules.scoring import winners
from games.rules.variants import VARIANTS

__all__ = ["VARIANTS", "IllegalPlacement", "Placement", "Position", "UnreadablePlacement", "winners"]
