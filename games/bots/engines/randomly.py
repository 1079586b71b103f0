"""The random engine: any legal placement, each as likely as any other."""

from games.bots.engines.protocol import dice
from games.rules import Placement, Position


class RandomEngine:
    """Chooses among all legal placements evenly."""

    def choose(self, position: Position, *, seed: int, number: int) -> Placement:
        """Return a legal placement drawn by the seed and the move's number."""
        placements = position.legal_placements()
        return placements[dice(seed, number).randrange(len(placements))]
