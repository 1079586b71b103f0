"""A bench-only engine that thinks hard and plays badly, to see what thinking costs everybody else.

Seated only where `EXTRA_BOTS=burner=benchmarks.burner:Burner` says so. `BURN_SECONDS` is the CPU time it takes a move.
"""

import os
import time

from games.bots.engines.protocol import Answer
from games.bots.engines.randomly import RandomEngine
from games.rules import Position


class Burner(RandomEngine):
    """Burns CPU, then places anything anywhere."""

    # Nobody else shall wait behind it.
    simulations = 1_000_000

    def think(self, position: Position, *, seed: int, number: int) -> Answer:
        """Return a random placement after that many seconds of this process's CPU time."""
        end = time.process_time() + float(os.environ.get("BURN_SECONDS", "5"))
        while time.process_time() < end:
            sum(range(1000))
        return super().think(position, seed=seed, number=number)
