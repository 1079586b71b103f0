"""Games between programs that read and write text, by CodinGame's protocol: docs/referee.md."""

import argparse
import json
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from games.referee.errors import RefereeError
from games.referee.game import JudgedGame
from games.referee.league import Pairing, Row, pairings, play_league, table
from games.rules.records import write_json
from games.rules.variants import sized_id
from games.rules.variants.codingame import DEFAULT_SIZE, SEEDS, SIZES, STOCKS


def main(arguments: Sequence[str] | None = None) -> int:
    """Do as the command line says; return the exit status: 1 for what could not be done, 130 when interrupted."""
    options = _parser().parse_args(arguments)
    if arguments is None:
        # Being ended is being interrupted: the programs are ended too.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        _run(options)
    except (RefereeError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted.\n")
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser("python -m games.referee", description=__doc__)
    made.add_argument("programs", nargs="+", metavar="PROGRAM", help='2 to 4 command lines, as "python3 bot.py"')
    made.add_argument("--size", type=int, default=DEFAULT_SIZE, help="columns and rows of the board, 7 to 26")
    made.add_argument("--seed", type=int, default=0, help="what draws the pieces (default: 0)")
    made.add_argument("--scale", type=float, default=1.0, help="multiplies the limits of 1 s and 200 ms (default: 1)")
    made.add_argument("--games", type=int, default=1, help="a league, rounded up so that each has every seat")
    made.add_argument("--jobs", type=int, default=1, help="games side by side (default: 1)")
    made.add_argument("--json", action="store_true", help="print the result as JSON")
    made.add_argument("--record", type=Path, metavar="PATH", help="a file, or for a league a folder, for the records")
    return made


def _run(options: argparse.Namespace) -> None:
    league = _league(options)
    games = []
    for number, judged in enumerate(play_league(league, options.jobs), start=1):
        games.append(judged)
        if options.record:
            path: Path = options.record if options.games == 1 else options.record / f"game-{number:04}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(write_json(judged.record), "utf-8")
    rows = table(league, games) if options.games > 1 else []
    text = _data(games, rows) if options.json else "\n".join(_league_lines(rows) if rows else _game_lines(games[0]))
    sys.stdout.write(f"{text}\n")


def _league(options: argparse.Namespace) -> list[Pairing]:
    """Return the games to play, a single one where no league is asked for."""
    players = len(options.programs)
    if players not in STOCKS:
        raise RefereeError(f"Name 2, 3 or 4 programs, not {players}.")
    if options.size not in SIZES or options.seed not in SEEDS:
        raise RefereeError("The size goes from 7 to 26, the seed from 0 to 4294967295.")
    if not 0 < options.scale <= 1000 or options.games < 1 or options.jobs < 1:
        raise RefereeError("The scale is above 0 and at most 1000; games and jobs are at least 1.")
    variant = sized_id(f"codingame-{players}", options.size, options.seed)
    league = list(pairings(variant, options.programs, options.games, options.seed, options.scale))
    return league if options.games > 1 else league[:1]


def _data(games: Sequence[JudgedGame], rows: Sequence[Row]) -> str:
    told = [{**game.to_json(), "record": json.loads(write_json(game.record))} for game in games]
    return json.dumps({"league": [row.to_json() for row in rows], "games": told} if rows else told[0], indent=1)


def _game_lines(judged: JudgedGame) -> Iterator[str]:
    yield f"{judged.variant}: {_winners(judged)}"
    for number, side in enumerate(judged.sides):
        timed = f"{side.answers} answers, the slowest after {1000 * side.seconds:.0f} ms"
        yield f"{number}  place {side.place}, {side.score} cells, {timed}: {side.command}"
        if side.fault:
            wrote = f" It wrote: {side.wrote!r}" if side.wrote else ""
            yield f"   lost ({side.fault}): {side.why}.{wrote}"
        if side.stderr:
            yield f"   standard error ends: {side.stderr[-200:]!r}"


def _winners(judged: JudgedGame) -> str:
    numbers = " and ".join(map(str, judged.winners))
    if not judged.winners:
        return "no player has won"
    return f"players {numbers} have tied" if len(judged.winners) > 1 else f"player {numbers} has won"


def _league_lines(rows: Sequence[Row]) -> Iterator[str]:
    yield "score    95 % interval   wins  ties games  cells  slowest"
    for row in rows:
        low, high = 100 * row.score.low, 100 * row.score.high
        yield (
            f"{100 * row.score.value:5.1f} %  {low:5.1f} to {high:5.1f}   {row.wins:5} {row.ties:5} {row.games:5}"
            f"  {row.mean:5.1f}  {1000 * row.slowest:4.0f} ms  {row.command}"
        )
        for fault, times in row.faults.most_common():
            yield f"         lost {times} times: {fault}"
