"""Pause a game between bots."""

from datetime import datetime

from django.db import transaction

from games.base import access
from games.models import Game
from games.table import moves, pauses


@transaction.atomic
def pause_game(user: access.Viewer, slug: str, *, pause_version: int, now: datetime | None = None) -> Game:
    """Pause the running game of bots that the user has opened; pausing twice is pausing once.

    `pause_version` is the game's as the page showed it; the bots may have played on since. What a bot thinks of just
    now is refused when it comes, for it was thought of before.

    Raises:
        StaleGame: since then they were paused and resumed.
        NotFound, NotSeated, WrongStatus: nothing has changed.

    """
    game = access.game_to_conduct(user, slug)
    moves.check_running(game)
    if not game.is_paused:
        moves.check_pause(game, pause_version)
        pauses.pause_bots(game, moves.moment(now))
    return game
