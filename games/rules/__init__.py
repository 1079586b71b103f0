"""The rules of Block-You: a library that needs the standard library alone.

`Position` answers what may be played and plays it; `Placement` is what is played; `VARIANTS` is what
there is to play, and `get_variant` what has a size and a seed of its own. `action_count` and `symmetries`
are for programs that learn, `winners` and `places` for scores from elsewhere. What is refused is a
`RulesError`. The rules R1-R12 are described in docs/rules.md, this library in docs/notation.md.
"""

from games.rules.errors import IllegalPlacement, RulesError, UnreadablePlacement
from games.rules.placement import Placement, action_count
from games.rules.position import Position, Turn
from games.rules.scoring import places, winners
from games.rules.symmetry import Symmetry, symmetries
from games.rules.variants import VARIANTS, Variant, get_variant

__all__ = [
    "VARIANTS",
    "IllegalPlacement",
    "Placement",
    "Position",
    "RulesError",
    "Symmetry",
    "Turn",
    "UnreadablePlacement",
    "Variant",
    "action_count",
    "get_variant",
    "places",
    "symmetries",
    "winners",
]
