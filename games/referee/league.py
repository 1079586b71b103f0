"""Many games between the same programs: each has every seat equally often, and what that proves."""

import multiprocessing
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from games.arena.figures import Estimate, wilson_interval
from games.arena.plan import Match
from games.referee.game import JudgedGame, PlayerResult, play_judged
from games.rules.variants import drawn_again


@dataclass(frozen=True)
class Pairing:
    """A game of a league: `seating` gives the program, from 0, of each player."""

    variant: str
    seating: tuple[int, ...]
    commands: tuple[str, ...]
    scale: float

    def judged(self) -> JudgedGame:
        """Return how the game went."""
        return play_judged(self.variant, [self.commands[program] for program in self.seating], scale=self.scale)


def pairings(variant: str, commands: Sequence[str], games: int, seed: int, scale: float) -> Iterator[Pairing]:
    """Yield the games: programs move on by one seat from game to game, with other pieces when all have had each.

    `games` is rounded up to whole rounds.
    """
    match = Match(variant, tuple(commands), games, seed)
    for fixture in match.fixtures():
        drawn = drawn_again(variant, fixture.opening_seed) if fixture.number >= match.group else variant
        yield Pairing(drawn, fixture.seating, match.players, scale)


def play_league(league: Sequence[Pairing], jobs: int = 1) -> Iterator[JudgedGame]:
    """Yield the games in order, some of them played at a time in processes of their own."""
    if jobs == 1:
        yield from map(Pairing.judged, league)
        return
    # Spawned: what a process inherits by forking has no owner.
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        try:
            yield from pool.map(Pairing.judged, league)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


@dataclass(frozen=True)
class Row:
    """How a program did in a league. `score` is its part of the points: 1 for a win, a part of it for a tie."""

    command: str
    games: int
    wins: int
    ties: int
    score: Estimate
    mean: float
    slowest: float
    faults: Counter[str]

    def to_json(self) -> dict[str, Any]:
        """Return the row as plain data."""
        return {
            **{name: getattr(self, name) for name in ("command", "games", "wins", "ties", "mean", "slowest")},
            "score": dict(self.score._asdict()),
            "faults": dict(self.faults),
        }


def table(league: Sequence[Pairing], games: Sequence[JudgedGame]) -> list[Row]:
    """Return a row for each program, in the order of the command line."""
    return [_row(league, games, number) for number in range(len(league[0].commands))]


def _row(league: Sequence[Pairing], games: Sequence[JudgedGame], program: int) -> Row:
    points, sides = [], list[PlayerResult]()
    for pairing, judged in zip(league, games, strict=True):
        seat = pairing.seating.index(program)
        sides.append(judged.sides[seat])
        points.append(1 / len(judged.winners) if seat in judged.winners else 0.0)
    return Row(
        league[0].commands[program],
        len(points),
        points.count(1.0),
        sum(0 < point < 1 for point in points),
        wilson_interval(points),
        fmean(side.score for side in sides),
        max(side.seconds for side in sides),
        Counter(side.fault for side in sides if side.fault),
    )
