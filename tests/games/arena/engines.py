"""Engines for matches whose results are known beforehand."""

from dataclasses import dataclass, field

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


@dataclass
class Compiles:
    """Takes a hundredth of a second for a move, and eight seconds more for the first of each kind."""

    told: list[float]
    compiled: set[str] = field(default_factory=set)

    def think(self, position: Position, *, seed: int, number: int) -> Answer:
        left = sum(position.open_mask(colour).bit_count() for colour in position.colours_in_play)
        kind = "an ending" if left < 100 else "a beginning"
        self.told[0] += 0.01 if kind in self.compiled else 8.01
        self.compiled.add(kind)
        return Answer(position.legal_placements()[0])
