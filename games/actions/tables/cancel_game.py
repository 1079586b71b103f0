"""Give up a table before the start."""

from django.db import transaction
from django.utils import timezone

from games.base import access
from games.models import Game, Status
from games.table import seats, seeking


@transaction.atomic
def cancel_game(user: access.Viewer, slug: str) -> Game:
    """Cancel the open table of which the user is the creator; cancelling twice is cancelling once.

    Raises:
        NotFound, NotSeated, WrongStatus: nothing has changed.

    """
    seats.lock_before(slug)
    game = access.game_to_change(user, slug)
    access.check_creator(game, user)
    if game.status == Status.CANCELLED:
        return game
    seats.check_open(game)
    now = timezone.now()
    seats.cancel_table(game, now)
    seeking.rest_seeks(game.creator_id, game, now)
    return game
