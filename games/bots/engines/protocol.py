"""What an engine is, and the seeded dice that engines throw.

Adding a bot is adding a file beside this one and a line to `games.bots.registry`. An engine may think as it likes: it
is run outside any transaction, in a worker process, under a time limit, and the rules check what it answers.
"""

from hashlib import blake2b
from random import Random
from typing import Protocol

from games.rules import Placement, Position


class Engine(Protocol):
    """Chooses a placement for the colour to play."""

    def choose(self, position: Position, *, seed: int, number: int) -> Placement:
        """Return one of `position.legal_placements()`, the same for the same position, seed and move number.

        `position.colour` is to play and is not blocked. `seed` belongs to the seat and differs from seat to seat;
        `number` is the number of the move to be recorded, from 1.
        """


def dice(*numbers: int) -> Random:
    """Return a source of randomness that depends on these numbers alone, whatever the Python version or process."""
    text = ",".join(map(str, numbers)).encode("ascii")
    return Random(int.from_bytes(blake2b(text, digest_size=16).digest(), "big"))
