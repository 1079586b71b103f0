"""End the turn of a player whose time is up, where no bot takes it."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from games import clock
from games.base import access
from games.models import Game, Kind, Move, Reason, Status
from games.queries.tables.turns import next_number
from games.table import lifecycle, moves
from games.table.lifecycle import Outcome


@transaction.atomic
def time_out(slug: str, *, number: int, now: datetime | None = None) -> Outcome | None:
    """Retire the seat that has not made the move of that number in time; None if there is nothing to do (any more).

    The site does so: there is no actor. A move that commits before wins, however late it was made. The database's clock
    decides unless a moment is given. Where a bot takes the turns that are missed, nothing is done here.

    Raises:
        NotFound: there is no such game.

    Rule: R12

    """
    game = access.game_to_close(slug)
    if (
        game.is_paused
        or game.status != Status.RUNNING
        or next_number(game) != number
        or game.deadline is None
        or game.absent_bot
    ):
        return None
    at = moves.moment(now)
    if not clock.is_past(game.deadline, at):
        return None
    played = moves.load_moves(game)
    late = next(player for player in game.players.all() if player.seat == game.turn_seat)
    reason = Reason.OUT_OF_TIME if _has_begun(game, played) else Reason.VOID
    return lifecycle.retire(game, played, late, reason, f"time-out-{number}", at)


def _has_begun(game: Game, played: Sequence[Move]) -> bool:
    """Return whether the game counts: with two seats once both have moved, else once a player has."""
    have_moved = {move.seat for move in played[game.given_moves :] if move.kind != Kind.RETIRE}
    players = game.players.all()
    if len(players) == 2:
        return len(have_moved) == 2
    people = {player.seat for player in players if not player.bot}
    return sum(not player.retired for player in players) > 2 or not people.isdisjoint(have_moved)
