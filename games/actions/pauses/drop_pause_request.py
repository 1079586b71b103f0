"""Withdraw one's request for a pause, or decline another player's."""

from datetime import datetime

from django.db import transaction

from games.base import access
from games.models import Game
from games.table import moves, pauses


@transaction.atomic
def drop_pause_request(user: access.Viewer, slug: str, *, request: int, now: datetime | None = None) -> Game:
    """Withdraw the user's request for a pause, or refuse another player's. Doing so twice is once.

    `request` is its version (`PauseRequest`) as the page showed it. A pause that has begun meanwhile goes on.

    Raises:
        StaleGame: another request stands by now.
        NotFound, NotSeated, WrongStatus: nothing has changed.

    """
    game, _player = access.game_to_pause(user, slug)
    moves.check_running(game)
    if moves.is_asked_for(game, request):
        pauses.drop_request(game, moves.moment(now))
    return game
