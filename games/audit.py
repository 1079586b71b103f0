"""Checks that what is stored of a game follows from its moves (RELIABILITY A10)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games import lifecycle
from games.models import Game, Move
from games.rules.errors import RulesError


@dataclass(frozen=True)
class Fault:
    """One thing that is stored otherwise than the moves say."""

    slug: str
    what: str
    stored: object
    rebuilt: object


def faults(game: Game) -> Iterator[Fault]:
    """Yield what is wrong with one started game: its moves, then what was derived from them. Four queries."""
    moves = list(game.moves.all())
    yield from _numbering(game, moves)
    players = list(game.players.all())
    stored = [(name, getattr(game, name)) for name in lifecycle.GAME_CACHE]
    seats = [(player.seat, lifecycle.cached_of_seat(player)) for player in players]
    again = Game.objects.prefetch_related("players").get(pk=game.pk)
    try:
        lifecycle.recall(again, moves)
    except RulesError as error:
        yield Fault(game.slug, "moves", "played", f"refused: {error}")
        return
    for name, value in stored:
        if value != getattr(again, name):
            yield Fault(game.slug, name, value, getattr(again, name))
    rebuilt = {player.seat: lifecycle.cached_of_seat(player) for player in again.players.all()}
    for seat, values in seats:
        if values != rebuilt[seat]:
            yield Fault(game.slug, f"seat {seat}", values, rebuilt[seat])


def _numbering(game: Game, moves: Sequence[Move]) -> Iterator[Fault]:
    """Yield gaps in the numbers of the moves, and versions that fall or are ahead of the game's."""
    numbers = [move.number for move in moves]
    if numbers != list(range(1, len(moves) + 1)):
        yield Fault(game.slug, "numbers", numbers, list(range(1, len(moves) + 1)))
    versions = [move.version for move in moves]
    if versions != sorted(versions) or (versions and versions[-1] > game.version):
        yield Fault(game.slug, "versions", versions, sorted(versions))
