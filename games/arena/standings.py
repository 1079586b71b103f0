"""What a match says of each of its players."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from games.arena.figures import Estimate, average, wilson_interval
from games.arena.game import Played


@dataclass(frozen=True)
class Standing:
    """How a player did. `milliseconds` are CPU time a move, `longest` the dearest move's; None where it is unknown.

    A game is a win where all winning seats are the player's, a tie where others win with it. A tie gives each player
    among the winners an equal part of the point. `place` is the mean place of the player's seats, 1 for the best.
    `margin` is the mean of the player's seats minus that of all others, over the games that were played to the end.
    """

    wins: int
    ties: int
    losses: int
    score: Estimate
    place: Estimate
    margin: Estimate
    turns: int
    milliseconds: float | None
    longest: float | None
    failures: tuple[str, ...]


def points(game: Played, player: int) -> float:
    """Return what a game gives a player: 1, a part of it in a tie, or 0."""
    winners = {game.seating[seat] for seat in game.winners}
    return 1 / len(winners) if player in winners else 0.0


def standing(games: Sequence[Played], player: int) -> Standing:
    """Return how a player did in some games, of which there is at least one."""
    got = [points(game, player) for game in games]
    mean, longest = cost(games, player)
    return Standing(
        wins=got.count(1.0),
        ties=sum(0 < each < 1 for each in got),
        losses=got.count(0.0),
        score=wilson_interval(got),
        place=average([mean_place(game, player) for game in games]),
        margin=average([margin(game, player) for game in games if game.failed is None]),
        turns=sum(game.turns[player] for game in games),
        milliseconds=mean,
        longest=longest,
        failures=tuple(game.failure for game in games if game.failed == player),
    )


def cost(games: Sequence[Played], player: int) -> tuple[float | None, float | None]:
    """Return the milliseconds of CPU that a player's moves took on average, and those of the dearest.

    None where those of some game are not known, or the player made no move.
    """
    turns = sum(game.turns[player] for game in games)
    seconds = [each for game in games if (each := game.seconds[player]) is not None]
    longest = [each for game in games if (each := game.longest[player]) is not None]
    if not turns or len(seconds) < len(games):
        return None, None
    return 1000 * sum(seconds) / turns, 1000 * max(longest)


def margin(game: Played, player: int) -> float:
    """Return the mean score of a player's seats minus the mean of all others'."""
    seats = list(zip(game.seating, game.scores, strict=True))
    own = [score for who, score in seats if who == player]
    others = [score for who, score in seats if who != player]
    return fmean(own) - fmean(others)


def mean_place(game: Played, player: int) -> float:
    """Return the mean place of a player's seats, 1 for the best; seats with equal scores share the mean of theirs.

    A player whose move failed has the last places, and all others share those before.
    """
    worth = [
        score if game.failed is None else int(who != game.failed)
        for who, score in zip(game.seating, game.scores, strict=True)
    ]
    places = [
        1 + sum(each > mine for each in worth) + (worth.count(mine) - 1) / 2
        for who, mine in zip(game.seating, worth, strict=True)
        if who == player
    ]
    return fmean(places)


def different(games: Sequence[Played]) -> int:
    """Return how many of the games differ in their moves."""
    return len({game.moves for game in games})
