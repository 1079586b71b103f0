"""What an engine is, what it answers, and the seeded dice that engines throw.

Adding a bot is adding a file beside this one and a line to `games.roster.entries`. An engine may think as it likes: it
is run outside any transaction, in a worker process, under a time limit, and the rules check what it answers.
"""

from dataclasses import dataclass
from hashlib import blake2b
from random import Random
from typing import Protocol, runtime_checkable

from games.rules import Placement, Position


@dataclass(frozen=True)
class Candidate:
    """A placement that an engine has looked at.

    `share` is the part of its attention that it took, 0 to 1: of the simulations, or the probability a policy gives
    it. `value` is what it thinks the seat to play would then score, as in `Answer.values`.
    """

    placement: Placement
    share: float
    value: float


@dataclass(frozen=True)
class Answer:
    """What an engine chose, and how it came to that.

    `values` holds for each seat its chance of winning, 0 to 1 (half a win for a tie of two), summing to about 1; empty
    where the engine does not know. `candidates` are what it looked at, best first, so `placement` is the first of them
    unless the engine is made to err. `simulations` are the games it simulated to the end. Where
    `is_proved`, it has looked through all that may follow instead, and the values are certain.
    """

    placement: Placement
    simulations: int = 0
    values: tuple[float, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    is_proved: bool = False


class Engine(Protocol):
    """Chooses a placement for the colour to play."""

    def think(self, position: Position, *, seed: int, number: int) -> Answer:
        """Return one of `position.legal_placements()`, the same for the same position, seed and move number.

        `position.colour` is to play and is not blocked. `seed` belongs to the seat and differs from seat to seat;
        `number` is the number of the move to be recorded, from 1.
        """


@runtime_checkable
class Follower(Engine, Protocol):
    """An engine that keeps from one turn to the next what it has thought of: its answers depend on those before."""

    def forget(self) -> None:
        """Keep nothing of what it was asked so far: another game begins."""


def dice(*numbers: int) -> Random:
    """Return a source of randomness that depends on these numbers alone, whatever the Python version or process."""
    text = ",".join(map(str, numbers)).encode("ascii")
    return Random(int.from_bytes(blake2b(text, digest_size=16).digest(), "big"))
