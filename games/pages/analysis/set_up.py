"""The boards on which a position can be set up."""

from dataclasses import dataclass

from games.rules.variants import SIZED, VARIANTS
from games.words.names import variant_name


@dataclass(frozen=True)
class BoardToSetUp:
    """A board by its variant, as it is called."""

    variant: str
    name: str


def boards_to_set_up() -> tuple[BoardToSetUp, ...]:
    """Return all boards of which there is one size."""
    return tuple(BoardToSetUp(kind, variant_name(kind)) for kind in VARIANTS if kind not in SIZED)
