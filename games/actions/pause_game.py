"""Let the bots of a game wait."""

from datetime import datetime

from django.db import transaction

from games import access, lifecycle, moves
from games.models import Game


@transaction.atomic
def pause_game(user: access.Viewer, slug: str, *, version: int, now: datetime | None = None) -> Game:
    """Pause the running game of bots that the user has opened; pausing twice is pausing once.

    That the bots have played on since the version that the page showed does not matter. What a bot thinks of just now
    is refused when it comes, for it was thought of before.

    Raises:
        StaleGame: since that version they were paused and went on.
        NotFound, NotSeated, WrongStatus: nothing has changed.

    """
    game = access.game_to_conduct(user, slug)
    moves.check_running(game)
    if not game.is_paused:
        moves.check_unheld_since(game, version)
        lifecycle.pause(game, moves.moment(now))
    return game
