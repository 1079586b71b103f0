"""What the arena prints."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from games.arena.external import PREFIX
from games.arena.figures import Estimate, wilson_interval
from games.arena.game import Played
from games.arena.plan import Match
from games.arena.ratings import Rating
from games.arena.standings import Standing, different, points, standing

NOTES = (
    "Score: a tie is half a point, a failed move loses the game. Margin: points a game over the others.",
    "95 % intervals are two-sided: Wilson's, in a form that knows ties, for the score; Student's for the margin.",
    "CPU: the process time of an engine of ours; the user and system time of another program.",
)
_HEADS = ("wins", "ties", "losses", "score", "95 % interval", "margin", "CPU a move", "longest", "moves", "failed")
_WIDTHS = (5, 5, 7, 8, 17, 17, 11, 10, 7, 7)


def label(spec: str) -> str:
    """Return a player's name for people and ratings: another program's without its folder."""
    if not spec.startswith(PREFIX):
        return spec
    folder, slash, name = spec.removeprefix(PREFIX).partition(" ")
    return PREFIX + Path(folder).name + slash + name


def match_lines(match: Match, games: Sequence[Played]) -> Iterator[str]:
    """Yield the lines that tell of a match, of which at least one game was played."""
    names = [label(spec) for spec in match.players]
    width = max(map(len, names)) + 2
    opening = f", {match.opening} random placements first" if match.opening else ""
    time = f", {match.cpu_ms} ms of CPU a move" if match.cpu_ms else ""
    time += f", at most {match.program_ms} ms for another program" if match.program_ms else ""
    time += ", trees kept from turn to turn" if match.follows else ""
    yield f"{match.variant}: {len(games)} games, {different(games)} of them different, seed {match.seed}{opening}{time}"
    yield " " * width + _row(_HEADS)
    standings = [standing(games, number) for number in range(len(names))]
    for name, each in zip(names, standings, strict=True):
        yield name.ljust(width) + _row(_cells(each))
    if len(names) == len(games[0].seating) == len(("first", "second")):
        yield from _by_turn(names, games)
    else:
        yield from (
            _place(name, each.place, len(games[0].seating)) for name, each in zip(names, standings, strict=True)
        )
    for name, each in zip(names, standings, strict=True):
        for failure, times in Counter(each.failures).most_common(3):
            yield f"{name} lost {times} by a failed move: it {failure}"


def _by_turn(names: Sequence[str], games: Sequence[Played]) -> Iterator[str]:
    """Yield a line for each player that tells how it did where it began, and where the other one did."""
    for number, name in enumerate(names):
        began = [points(game, number) for game in games if game.seating[0] == number]
        followed = [points(game, number) for game in games if game.seating[0] != number]
        told = [
            f"{what} {100 * share.value:.1f} % ({100 * share.low:.1f} to {100 * share.high:.1f})"
            for what, share in (
                (what, wilson_interval(each)) for what, each in (("first", began), ("second", followed)) if each
            )
        ]
        yield f"{name}: {', '.join(told)}"


def _place(name: str, place: Estimate, seats: int) -> str:
    """Return a line with a player's mean place, and its interval where there is one."""
    interval = f" ({place.low:.2f} to {place.high:.2f})" if math.isfinite(place.high) else ""
    return f"{name}: mean place {place.value:.2f}{interval} of {seats}"


def _row(cells: Sequence[str]) -> str:
    return "".join(cell.rjust(width) for cell, width in zip(cells, _WIDTHS, strict=True))


def _cells(standing: Standing) -> list[str]:
    score = standing.score
    return [
        str(standing.wins),
        str(standing.ties),
        str(standing.losses),
        f"{100 * score.value:.1f} %",
        f"{100 * score.low:.1f} to {100 * score.high:.1f}",
        _mean(standing.margin),
        _time(standing.milliseconds),
        _time(standing.longest),
        str(standing.turns),
        str(len(standing.failures)),
    ]


def _mean(estimate: Estimate) -> str:
    if math.isnan(estimate.value):
        return "-"
    reach = f" ± {estimate.high - estimate.value:.1f}" if math.isfinite(estimate.high) else ""
    return f"{estimate.value:+.1f}{reach}"


def _time(milliseconds: float | None) -> str:
    return "-" if milliseconds is None else f"{milliseconds:.1f} ms"


def rating_lines(variant: str, ratings: Mapping[str, Rating]) -> Iterator[str]:
    """Yield the lines of a table of ratings, the best first."""
    width = max(map(len, ratings), default=0) + 2
    yield f"{variant}: ratings"
    yield " " * width + "rating".rjust(8) + "95 % interval".rjust(17) + "games".rjust(8)
    for name, each in sorted(ratings.items(), key=lambda item: -item[1].rating):
        yield f"{name.ljust(width)}{each.rating:8}{f'{each.low} to {each.high}'.rjust(17)}{each.games:8}"
