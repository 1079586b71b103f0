"""Ask the others at a table for a pause."""

from datetime import datetime

from django.db import transaction

from games.base import access
from games.models import Game
from games.table import moves, pauses


@transaction.atomic
def ask_for_pause(user: access.Viewer, slug: str, *, pause_version: int, now: datetime | None = None) -> Game:
    """Ask for a pause of a running game; where another player has asked already, agree.

    It begins when all agree who still play, are there and are no bots; for one who plays against bots alone, at once.
    Asking twice is asking once. `pause_version` is the game's as the page showed it: a request that arrives after the
    pause asks for no other one.

    Raises:
        StaleGame: since then the game was paused and went on.
        NotFound, NotSeated, WrongStatus: nothing has changed.

    """
    game, player = access.game_to_pause(user, slug)
    moves.check_running(game)
    if game.is_paused:
        return game
    moves.check_pause(game, pause_version)
    moves.check_may_pause(game)
    request = game.asked_pause
    if request is None or player.seat not in request.seats:
        pauses.want_pause(game, player, moves.moment(now))
    return game
