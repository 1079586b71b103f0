"""Exchange two seats of a table before the start."""

from datetime import datetime

from django.db import transaction

from games.base import access
from games.models import Game
from games.table import moves, seats


@transaction.atomic
def swap_seats(
    user: access.Viewer, slug: str, *, one: int | None, other: int | None, now: datetime | None = None
) -> Game:
    """Swap the occupants of two seats of the user's open table, and so their colours.

    Raises:
        BadRequest: there is no such seat.
        NotFound, NotSeated, WrongStatus: nothing has changed.

    """
    game = access.game_to_change(user, slug)
    access.check_creator(game, user)
    seats.check_open(game)
    first, second = seats.seat_numbered(game, one), seats.seat_numbered(game, other)
    if first.pk != second.pk:
        seats.exchange(game, first, second, moves.moment(now))
    return game
