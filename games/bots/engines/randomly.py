"""The random engine: any legal placement, each as likely as any other."""

from games.bots.engines.protocol import Answer, dice
from games.rules import Position


class RandomEngine:
    """Chooses among all legal placements evenly."""

    def think(self, position: Position, *, seed: int, number: int) -> Answer:
        """Return a legal placement drawn by the seed and the move's number."""
        placements = position.legal_placements()
        return Answer(placements[dice(seed, number).randrange(len(placements))])
