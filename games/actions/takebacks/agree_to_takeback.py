"""Agree that another player takes moves back."""

from datetime import datetime

from django.db import transaction

from games.base import access
from games.models import Game
from games.table import moves, takebacks


@transaction.atomic
def agree_to_takeback(user: access.Viewer, slug: str, *, request: int, now: datetime | None = None) -> Game:
    """Agree to what another player has asked for; agreeing twice is agreeing once. The last who agrees carries it out.

    `request` is its version (`TakebackRequest`) as the page showed it.

    Raises:
        StaleGame: another request stands by now.
        WrongStatus: it was withdrawn or declined, or the game went on (`takeback-dropped`); or the game is paused or
            not running.
        NotFound, NotSeated: nothing has changed.

    """
    game, player = access.game_to_pause(user, slug)
    moves.check_running(game)
    if not takebacks.is_takeback_asked_for(game, request):
        takebacks.check_taken_back(game, request)
        return game
    moves.check_not_paused(game, user)
    if game.asked_takeback and player.seat not in game.asked_takeback.seats:
        takebacks.join_takeback(game, moves.load_moves(game), player, moves.moment(now))
    return game
