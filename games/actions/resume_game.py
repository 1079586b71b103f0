"""Let the bots of a paused game go on."""

from datetime import datetime

from django.db import transaction

from games import access, lifecycle, moves
from games.models import Game


@transaction.atomic
def resume_game(user: access.Viewer, slug: str, *, version: int, now: datetime | None = None) -> Game:
    """Let the game of bots that the user has opened go on; a game that is not paused does already.

    Raises:
        StaleGame: since the version that the page showed they went on and were paused again.
        NotFound, NotSeated, WrongStatus: nothing has changed.

    """
    game = access.game_to_conduct(user, slug)
    moves.check_running(game)
    if game.is_paused:
        moves.check_unheld_since(game, version)
        lifecycle.resume(game, moves.moment(now))
    return game
