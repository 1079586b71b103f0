"""An engine that answers at once and by the simplest rule, in the place of the strong one."""

from games.bots.engines.protocol import Answer, Candidate
from games.rules import Position


class FirstFew:
    """Takes the first legal placement for the best, the next two for the next best; whoever moves is ahead."""

    def __init__(self, simulations: int) -> None:
        self.simulations = simulations

    def think(self, position: Position, *, seed: int, number: int) -> Answer:
        legal = position.legal_placements()[:3]
        others = 0.4 / (len(position.seats) - 1)
        chances = tuple(0.6 if seat == position.seat else others for seat in range(len(position.seats)))
        candidates = tuple(Candidate(placement, 0.5, 0.5 - index / 10) for index, placement in enumerate(legal))
        return Answer(legal[0], self.simulations, chances, candidates)


class Broken:
    """Fails at every position."""

    def __init__(self, simulations: int) -> None:
        self.simulations = simulations

    def think(self, position: Position, *, seed: int, number: int) -> Answer:
        raise ArithmeticError("this engine is broken")


class Endless:
    """Thinks until it is stopped."""

    def __init__(self, simulations: int) -> None:
        self.simulations = simulations

    def think(self, position: Position, *, seed: int, number: int) -> Answer:
        while True:
            number += 1
