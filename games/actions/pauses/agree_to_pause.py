"""Agree to the pause for which another player has asked."""

from datetime import datetime

from django.db import transaction

from games.base import access
from games.models import Game
from games.table import moves, pauses


@transaction.atomic
def agree_to_pause(user: access.Viewer, slug: str, *, request: int, now: datetime | None = None) -> Game:
    """Agree to a request for a pause of a running game; agreeing twice is agreeing once.

    `request` is its version (`PauseRequest`) as the page showed it.

    Raises:
        StaleGame: another request stands by now.
        WrongStatus: it was withdrawn or declined (`pause-dropped`), or the game is not running.
        NotFound, NotSeated: nothing has changed.

    """
    game, player = access.game_to_pause(user, slug)
    moves.check_running(game)
    if not moves.is_asked_for(game, request):
        moves.check_agreed(game, request)
    elif game.asked_pause and player.seat not in game.asked_pause.seats:
        pauses.want_pause(game, player, moves.moment(now))
    return game
