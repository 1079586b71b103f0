"""Place a piece."""

from datetime import datetime

from django.db import transaction

from games.base import access
from games.models import Kind
from games.rules.records import Thinking
from games.table import lifecycle, moves
from games.table.lifecycle import Outcome


@transaction.atomic
def play_placement(
    actor: access.Actor,
    slug: str,
    *,
    placement: moves.AskedPlacement,
    number: int,
    key: str,
    now: datetime | None = None,
    thought: Thinking | None = None,
) -> Outcome:
    """Record the placement of the colour to play and what follows from it; seven or eight queries.

    `placement` is a text as people type it, an id, or a value of the rules; `number` is that of the move which the
    actor saw to be due, from 1; `key` names the request, so that the same request twice is one move with the same
    answer. `thought` is what a bot keeps beside its move.

    Raises:
        ValueError: a thought comes with a move that is not a bot's.
        NotFound, NotSeated, BadRequest, WrongStatus, StaleGame, NotYourTurn, Refused: nothing has changed (R11).

    """
    if thought and not isinstance(actor, access.BotSeat):
        raise ValueError("only a bot's thought is kept")
    moves.check_key(key, actor)
    game = access.game_to_play(actor, slug)
    player = access.own_seat(game, actor)
    text = str(moves.read_placement(game, placement))
    played = moves.load_moves(game)
    known = moves.answered(game, played, key, Kind.PLACE, player.seat, text, "")
    if known:
        return known
    at = moves.moment(now)
    moves.check_may_move(game, player, actor, number, at)
    move = moves.next_move(game, player, Kind.PLACE, text, key, actor)
    outcome = lifecycle.play(game, played, move, at)
    if thought:
        moves.keep_thought(move, thought)
    return outcome
