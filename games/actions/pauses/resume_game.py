"""Resume a paused game between bots."""

from datetime import datetime

from django.db import transaction

from games.base import access
from games.models import Game
from games.table import moves, pauses


@transaction.atomic
def resume_game(user: access.Viewer, slug: str, *, pause_version: int, now: datetime | None = None) -> Game:
    """Resume the game between bots that the user has opened; for a game that is not paused nothing changes.

    `pause_version` is the game's as the page showed it: a request ends that pause and no later one.

    Raises:
        StaleGame: since then they were resumed and paused again.
        NotFound, NotSeated, WrongStatus: nothing has changed.

    """
    game = access.game_to_conduct(user, slug)
    moves.check_running(game)
    if game.is_paused:
        moves.check_pause(game, pause_version)
        pauses.resume_bots(game, moves.moment(now))
    return game
