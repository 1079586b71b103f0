"""End a pause on which people have agreed."""

from datetime import datetime

from django.db import transaction

from games.base import access
from games.models import Game
from games.table import moves, pauses


@transaction.atomic
def end_pause(user: access.Viewer, slug: str, *, pause_version: int, now: datetime | None = None) -> Game:
    """End the pause of a game, as any of its players may; for a game that is not paused nothing changes.

    Clocks have then as much time as they had when the pause began. `pause_version` is the game's as the page showed it:
    a request ends that pause and no later one.

    Raises:
        StaleGame: since then the game went on and was paused again.
        NotFound, NotSeated, WrongStatus: nothing has changed.

    """
    game, player = access.game_to_pause(user, slug)
    moves.check_running(game)
    if game.is_paused:
        moves.check_pause(game, pause_version)
        pauses.finish_pause(game, moves.moment(now), player.user_id)
    return game
