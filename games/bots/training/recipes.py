"""How each kind of policy is learned: which games teach it, how many of them, and how long is thought in them."""

from typing import NamedTuple


class Generation(NamedTuple):
    """So many games of self-play, in which a placement is chosen by so many simulations."""

    games: int
    simulations: int

    def __str__(self) -> str:
        """Return it as the command line and the recipes in the file of weights write it: `100x500`."""
        return f"{self.games}x{self.simulations}"


#: The variants whose games teach each kind of policy, in turn.
TEACHERS = {
    "duo": ("duo",),
    "pairs": ("blockyou-2", "classic-2"),
    "each": ("blockyou-4", "classic-4"),
    "triangles-pairs": ("trigon-2",),
    "triangles-each": ("trigon-4", "trigon-3"),
}

#: From the first generation. How long they take, and which of them made what the file holds: docs/bots.md.
RECIPES = {
    "duo": (Generation(60, 1000), Generation(100, 1000), *[Generation(120, 1500)] * 6),
    "pairs": (Generation(40, 200), Generation(80, 500), Generation(120, 1000)),
    "each": (Generation(40, 200), Generation(80, 500), Generation(100, 1000)),
    "triangles-pairs": (Generation(40, 200), Generation(60, 500), Generation(80, 1000)),
    "triangles-each": (Generation(40, 200), Generation(60, 500), Generation(80, 1000)),
}
