"""Matches between engines, those of other programs included: docs/bots.md."""

import argparse
import signal
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from games.arena import ratings
from games.arena.errors import ArenaError
from games.arena.game import Played
from games.arena.log import Log
from games.arena.plan import Match
from games.arena.report import NOTES, label, match_lines, rating_lines
from games.arena.run import Listener, check_match, run
from games.arena.standings import points
from games.roster.entries import BOTS, CHARACTERS, LADDER, stored_name
from games.rules.errors import UnknownVariant
from games.rules.variants import get_variant

_PLAYERS = """Players are bots (greedy, sage-5), engines by address (module:Class,argument=value), and other
programs that speak the Go Text Protocol as pentobi-gtp does: gtp:/path/to/pentobi-gtp:3 at its level 3, or
"gtp:/path --its --options"."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Do as the command line says; return the exit status: 1 for what could not be done, 130 when interrupted."""
    options = parser().parse_args(arguments)
    if arguments is None:
        # Being ended is being interrupted: what was started here is ended too.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    command: Callable[[argparse.Namespace], None] = options.command
    try:
        command(options)
    except (ArenaError, UnknownVariant) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted. With the same --log the same command goes on.\n")
        return 130
    return 0


def parser() -> argparse.ArgumentParser:
    """Return what reads the command line."""
    made = argparse.ArgumentParser("python -m games.arena", description=__doc__)
    commands = made.add_subparsers(required=True)
    match = commands.add_parser("match", help="games between two players, or as many as there are seats")
    match.add_argument("variant")
    match.add_argument("players", nargs="+")
    match.add_argument(
        "--cpu-ms", type=_positive, default=0, help="milliseconds of CPU that each of our searches has for a move"
    )
    match.add_argument(
        "--program-ms", type=_positive, default=0, help="milliseconds of CPU in which another program must move or lose"
    )
    match.add_argument(
        "--anew", action="store_true", help="bots that search begin each turn with an empty tree, as at a table"
    )
    match.set_defaults(command=_match)
    ladder = commands.add_parser("ladder", help="each player against the one before it, then ratings")
    ladder.add_argument("variant")
    ladder.add_argument("players", nargs="*", help="the weakest first (default: every level)")
    ladder.add_argument("--character", choices=[*CHARACTERS], default=next(iter(CHARACTERS)))
    ladder.set_defaults(command=_ladder)
    rate = commands.add_parser("ratings", help="ratings from the games of a log")
    rate.add_argument("variant")
    rate.set_defaults(command=_ratings)
    for each in (match, ladder):
        _add_playing(each)
    for each in (ladder, rate):
        each.add_argument("--write", type=Path, help="a file of JSON to put the ratings into")
    rate.add_argument("--log", type=Path, required=True)
    return made


def _add_playing(command: argparse.ArgumentParser) -> None:
    command.epilog = _PLAYERS
    command.add_argument(
        "--games", type=_positive, default=100, help="a match (default: 100), rounded up to whole pairs"
    )
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--jobs", type=_positive, default=1, help="processes side by side (default: 1)")
    command.add_argument("--opening", type=int, default=0, help="placements drawn by chance before the players begin")
    command.add_argument(
        "--limit", type=float, default=60.0, help="seconds another program has to answer (default: 60)"
    )
    command.add_argument("--log", type=Path, help="a file of games to go on with")


def _say(lines: Iterable[str]) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return number


def _match(options: argparse.Namespace) -> None:
    match = _match_of(options, options.players)
    follows = not options.anew and any(spec in BOTS and BOTS[spec].most_simulations for spec in match.players)
    _play(replace(match, follows=follows), options)
    _say(NOTES)


def _ladder(options: argparse.Namespace) -> None:
    rungs = options.players or [stored_name(options.character, level) for level in LADDER]
    matches = [_match_of(options, [upper, lower]) for lower, upper in pairwise(rungs)]
    if not matches:
        raise ArenaError("A ladder has two rungs at least.")
    for match in matches:
        check_match(match)
    results = [ratings.Result(*_names(match), *_points(_play(match, options))) for match in matches]
    _say(NOTES)
    _rate(options, results)


def _ratings(options: argparse.Namespace) -> None:
    """Rate the players of all matches of two in a log in which bots played as they do at a table."""
    met: dict[tuple[str, str], list[Played]] = defaultdict(list)
    for match, played in Log(options.log).matches():
        if match.variant == options.variant and len(match.players) == len(("first", "second")) and not match.follows:
            met[_names(match)].append(played)
    if not met:
        raise ArenaError(
            f"{options.log} has no games of {options.variant} between two players. "
            "Those in which bots kept their trees are not rated: play them with --anew."
        )
    _rate(options, [ratings.Result(*names, *_points(games)) for names, games in met.items()])


def _rate(options: argparse.Namespace, results: Iterable[ratings.Result]) -> None:
    rated = ratings.rate(results)
    _say(["", *rating_lines(options.variant, rated)])
    if options.write:
        ratings.write(options.write, options.variant, rated)


def _match_of(options: argparse.Namespace, players: Sequence[str]) -> Match:
    variant = get_variant(options.variant).id
    cpu_ms, program_ms = getattr(options, "cpu_ms", 0), getattr(options, "program_ms", 0)
    return Match(variant, tuple(players), options.games, options.seed, options.opening, cpu_ms, program_ms)


def _names(match: Match) -> tuple[str, str]:
    first, second = map(label, match.players)
    return first, second


def _points(games: Sequence[Played]) -> tuple[int, float]:
    return len(games), sum(points(game, 0) for game in games)


def _play(match: Match, options: argparse.Namespace) -> list[Played]:
    log = Log(options.log) if options.log else None
    games = run(match, jobs=options.jobs, limit=options.limit, log=log, listener=_progress(match))
    _say([*match_lines(match, games), ""])
    return games


def _progress(match: Match) -> Listener:
    """Return a listener that prints a match's progress ten times."""
    total, names = sum(1 for _ in match.fixtures()), " - ".join(map(label, match.players))

    def tell(_number: int, _played: Played, count: int) -> None:
        if count * 10 // total > (count - 1) * 10 // total and count < total:
            sys.stderr.write(f"{match.variant}, {names}: {count} of {total} games\n")

    return tell
