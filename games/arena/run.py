"""Playing a match: in this process, or in several side by side."""

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from types import FrameType
from typing import NoReturn, cast

from games.arena.errors import ArenaError
from games.arena.external import PREFIX, ExternalPlayer, check_variant
from games.arena.game import Played, play_fixture
from games.arena.log import Log
from games.arena.plan import Fixture, Match
from games.arena.players import MatchPlayer, OwnPlayer, own_engine
from games.arena.program import tells_cpu_time

#: Called with every new game: its number, how it went, and how many the match then has.
Listener = Callable[[int, Played, int], None]


def run(
    match: Match, *, jobs: int = 1, limit: float = 60.0, log: Log | None = None, listener: Listener | None = None
) -> list[Played]:
    """Return the games of a match in order, playing those that the log does not have.

    `limit` are the seconds within which another program answers.

    Raises:
        ArenaError: the match cannot be played, or not to its end. What was played is in the log.

    """
    check_match(match)
    log = log or Log()
    fixtures, kept = list(match.fixtures()), log.played(match)
    games = {fixture.number: kept[fixture.number] for fixture in fixtures if fixture.number in kept}
    missing = [fixture for fixture in fixtures if fixture.number not in games]
    results = _alone(match, limit, missing) if jobs == 1 else _side_by_side(match, limit, missing, jobs)
    for number, played in results:
        log.add(match, number, played)
        games[number] = played
        if listener:
            listener(number, played, len(games))
    return [games[number] for number in sorted(games)]


def check_match(match: Match) -> None:
    """Refuse a match that cannot be played, before anything is.

    Raises:
        ArenaError: an unknown engine, a variant that another program cannot play, an odd number of players, or a bound
            of CPU time where the system tells none.

    """
    next(match.fixtures())
    if match.program_ms and not tells_cpu_time():
        raise ArenaError("This system does not tell how much CPU time another program takes: leave out --program-ms.")
    for spec in match.players:
        if spec.startswith(PREFIX):
            check_variant(match.variant)
        else:
            own_engine(spec, match.cpu_ms, follows=match.follows)


@contextmanager
def _players(match: Match, limit: float) -> Iterator[list[MatchPlayer]]:
    players: list[MatchPlayer] = []
    try:
        for spec in match.players:
            is_other = spec.startswith(PREFIX)
            players.append(
                ExternalPlayer(spec, limit=limit, most_ms=match.program_ms)
                if is_other
                else OwnPlayer(own_engine(spec, match.cpu_ms, follows=match.follows))
            )
        yield players
    finally:
        for player in players:
            player.close()


def _alone(match: Match, limit: float, fixtures: Sequence[Fixture]) -> Iterator[tuple[int, Played]]:
    with _players(match, limit) as players:
        for fixture in fixtures:
            yield fixture.number, play_fixture(fixture, players)


def _side_by_side(match: Match, limit: float, fixtures: Sequence[Fixture], jobs: int) -> Iterator[tuple[int, Played]]:
    """Yield the games as they end. A worker that dies takes the match with it, never the other way round."""
    workers = [_Worker(match, limit) for _ in range(min(jobs, len(fixtures)))]
    waiting = list(reversed(fixtures))
    try:
        for worker in workers:
            worker.begin(waiting.pop())
        while busy := {worker.pipe: worker for worker in workers if worker.number is not None}:
            for pipe in wait(list(busy)):
                worker = busy[cast("Connection", pipe)]
                yield worker.result()
                if waiting:
                    worker.begin(waiting.pop())
    finally:
        for worker in workers:
            worker.end()


class _Worker:
    """A process that plays one game after the other."""

    def __init__(self, match: Match, limit: float) -> None:
        # Spawned: what a process inherits by forking (threads, older pipes) has no owner.
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.number: int | None = None
        self._process = context.Process(target=_work, args=(theirs, match, limit), daemon=True)
        self._process.start()
        theirs.close()

    def begin(self, fixture: Fixture) -> None:
        self.number = fixture.number
        self.pipe.send(fixture)

    def result(self) -> tuple[int, Played]:
        number, self.number = self.number, None
        try:
            answer = self.pipe.recv()
        except EOFError as error:
            raise ArenaError("A process of the arena died in the middle of a game.") from error
        if isinstance(answer, ArenaError):
            raise answer
        return cast("int", number), answer

    def end(self) -> None:
        """End the process; in the middle of a game, where the match is over for another reason."""
        self.pipe.close()
        if self.number is not None:
            self._process.terminate()
        self._process.join()


def _leave(_number: int, _frame: FrameType | None) -> NoReturn:
    """Unwind, so that other programs are ended too, in the middle of whatever they think about."""
    raise SystemExit


def _work(pipe: Connection, match: Match, limit: float) -> None:
    # An interrupt from the keyboard reaches every process; the first one decides, and ends the others by this signal.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    try:
        with _players(match, limit) as players:
            while True:
                pipe.send(play_fixture(pipe.recv(), players))
    except ArenaError as error:
        pipe.send(error)
    except (EOFError, BrokenPipeError):
        return
