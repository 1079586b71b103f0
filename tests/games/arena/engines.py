"""Engines for matches whose results are known beforehand."""

from dataclasses import dataclass

from games.bots.engines.protocol import Answer
from games.rules import Placement, Position


@dataclass(frozen=True)
class First:
    """Places the smallest piece that comes first, whatever the seed: it plays the same game again and again."""

    def think(self, position: Position, *, seed: int, number: int) -> Answer:
        return Answer(min(position.legal_placements(), key=lambda placement: len(placement.cells)))


@dataclass(frozen=True)
class Raises:
    """Raises once the game has come to a move of that number."""

    at: int = 1

    def think(self, position: Position, *, seed: int, number: int) -> Answer:
        if number >= self.at:
            raise RuntimeError("no ideas")
        return Answer(position.legal_placements()[0])


@dataclass(frozen=True)
class Cheats:
    """Places its first piece again and again."""

    def think(self, position: Position, *, seed: int, number: int) -> Answer:
        return Answer(Placement.parse("1:e10", position.variant))


@dataclass
class Remembers:
    """Places what comes first, then second, then third, until it is to forget how often it was asked."""

    asked: int = 0

    def think(self, position: Position, *, seed: int, number: int) -> Answer:
        placements = position.legal_placements()
        self.asked += 1
        return Answer(placements[self.asked % len(placements)])

    def forget(self) -> None:
        self.asked = 0
