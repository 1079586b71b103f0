"""Withdraw one's request to take moves back, or decline another player's."""

from datetime import datetime

from django.db import transaction

from games.base import access
from games.models import Game
from games.table import moves, takebacks


@transaction.atomic
def drop_takeback_request(user: access.Viewer, slug: str, *, request: int, now: datetime | None = None) -> Game:
    """Withdraw the user's request to take moves back, or refuse another player's. Doing so twice is once.

    `request` is its version (`TakebackRequest`) as the page showed it. Moves that have gone meanwhile stay away.

    Raises:
        StaleGame: another request stands by now.
        NotFound, NotSeated, WrongStatus: nothing has changed.

    """
    game, _player = access.game_to_pause(user, slug)
    moves.check_running(game)
    if takebacks.is_takeback_asked_for(game, request):
        takebacks.drop_takeback(game, moves.moment(now))
    return game
