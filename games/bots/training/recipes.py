"""How each kind of policy is learned: which games teach it, how many of them, and how long each search takes."""

from typing import NamedTuple


class Generation(NamedTuple):
    """A number of games of self-play, in which each placement is chosen by a number of simulations."""

    games: int
    simulations: int

    def __str__(self) -> str:
        """Return it as the command line and the recipes in the file of weights write it: `100x500`."""
        return f"{self.games}x{self.simulations}"


#: What a kind begins with that knows only that large pieces and corners are good.
NOTHING = "nothing"

#: Powers of the shares of attention that examples are learned from; by the second nothing counts but the largest.
SQUARES, CHOICE = 2.0, float("inf")


class Recipe(NamedTuple):
    """The kind of game with whose weights the first generation begins, or `NOTHING`; and the generations.

    They learn from the shares of the search's attention to a power, but the first from `NOTHING` as they are.
    """

    begins_with: str
    generations: tuple[Generation, ...]
    power: float = SQUARES


#: The variants whose games teach each kind of policy, in turn.
TEACHERS = {
    "duo": ("duo",),
    "pairs": ("blockyou-2", "classic-2"),
    "pairs-across": ("classic-2",),
    "each": ("blockyou-4", "classic-4"),
    "triangles-pairs": ("trigon-2",),
    "triangles-each": ("trigon-4", "trigon-3"),
}

#: In the order of learning: what a kind begins with is learned above it. Other ways were tried where each seat has one
#: colour on squares, and not shown to be better: docs/training.md says how they played.
RECIPES = {
    "duo": Recipe(NOTHING, (Generation(60, 1000), Generation(100, 1000), *[Generation(120, 1500)] * 6)),
    "pairs": Recipe("duo", (Generation(60, 1000), *[Generation(80, 1500)] * 2)),
    "pairs-across": Recipe(NOTHING, (Generation(40, 200), Generation(80, 500), Generation(100, 1000)), CHOICE),
    "each": Recipe(NOTHING, (Generation(40, 200), Generation(80, 500), Generation(100, 1000)), CHOICE),
    "triangles-pairs": Recipe("duo", (Generation(60, 1000),)),
    "triangles-each": Recipe("triangles-pairs", (Generation(60, 1000),), CHOICE),
}
