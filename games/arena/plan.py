"""Which games a match consists of: the players of the seats, and the seeds."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from games.arena.errors import ArenaError
from games.bots.engines.protocol import dice
from games.rules.variants import get_variant

Seating = tuple[int, ...]


class Fixture(NamedTuple):
    """A game to be played: `seating` says by seat who of the players has it, `seeds` are the players' own."""

    number: int
    variant: str
    seating: Seating
    seeds: tuple[int, ...]
    opening: int
    opening_seed: int


@dataclass(frozen=True)
class Match:
    """Some games between the same players.

    Games come in groups that share their seeds and in which every player has every seat equally often: pairs, or, where
    more than two play, as many as there are seats. The first `opening` placements of a game are drawn by chance, from
    the same seed for its whole group. With `cpu_ms` an engine that can be told a time thinks for that many milliseconds
    of CPU before each move, however many simulations it has otherwise. With `program_ms` another program that takes
    more than so many for a move loses the game. With `follows` bots that search keep their trees from turn to turn.
    """

    variant: str
    players: tuple[str, ...]
    games: int = 100
    seed: int = 1
    opening: int = 0
    cpu_ms: int = 0
    program_ms: int = 0
    follows: bool = False

    @property
    def group(self) -> int:
        """Return the number of games that share their seeds."""
        return len(self._groups()[0])

    def fixtures(self) -> Iterator[Fixture]:
        """Yield the games in order; `games` is rounded up to whole groups."""
        groups = self._groups()
        for round_ in range(-(-self.games // self.group)):
            *seeds, opening_seed = (
                dice(self.seed, round_, player).getrandbits(31) for player in range(len(self.players) + 1)
            )
            for index, seating in enumerate(groups[round_ % len(groups)]):
                number = round_ * self.group + index
                yield Fixture(number, self.variant, seating, tuple(seeds), self.opening, opening_seed)

    def _groups(self) -> tuple[tuple[Seating, ...], ...]:
        return seatings(len(self.players), get_variant(self.variant).seats)


def seatings(players: int, seats: int) -> tuple[tuple[Seating, ...], ...]:
    """Return the groups of seatings that follow each other.

    As many players as seats move on by one seat from game to game. Two players share more seats as evenly as can be,
    and change them in the second game of a pair.

    Raises:
        ArenaError: that number of players cannot share the seats fairly.

    """
    if players == seats:
        return (tuple(tuple((seat + turn) % seats for seat in range(seats)) for turn in range(seats)),)
    if players != len("AB"):
        raise ArenaError(f"{seats} seats are for 2 or {seats} players, not for {players}.")
    halves = [each for each in product((0, 1), repeat=seats) if abs(2 * sum(each) - seats) <= 1 and each[0] == 0]
    return tuple((half, tuple(1 - player for player in half)) for half in halves)
