"""Pass, where the colour to play is blocked and the table declares passes."""

from datetime import datetime

from django.db import transaction

from games.base import access
from games.models import Kind
from games.table import lifecycle, moves
from games.table.lifecycle import Outcome


@transaction.atomic
def pass_turn(actor: access.Actor, slug: str, *, number: int, key: str, now: datetime | None = None) -> Outcome:
    """Record a pass of the colour to play and what follows from it. `number` is that of the move seen to be due.

    Raises:
        Refused: the colour can still place (`must-place`).
        NotFound, NotSeated, BadRequest, WrongStatus, StaleGame, NotYourTurn: nothing has changed (R11).

    Rule: R7

    """
    moves.check_key(key, actor)
    game = access.game_to_play(actor, slug)
    player = access.own_seat(game, actor)
    played = moves.load_moves(game)
    known = moves.answered(game, played, key, Kind.PASS, player.seat, "", "")
    if known:
        return known
    at = moves.moment(now)
    moves.check_may_move(game, player, actor, number, at)
    move = moves.next_move(game, player, Kind.PASS, "", key, actor)
    return lifecycle.play(game, played, move, at)
