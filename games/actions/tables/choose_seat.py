"""Take another seat, and so other colours, before the start."""

from datetime import datetime

from django.db import transaction

from games.base import access
from games.models import Game
from games.table import moves, seats


@transaction.atomic
def choose_seat(user: access.Viewer, slug: str, *, colour: str, now: datetime | None = None) -> Game:
    """Move the user, who sits at the open table, to the seat of this colour.

    Choosing what one has changes nothing. Of two who choose the same at once, one gets it.

    Raises:
        BadRequest: the table has no such colour.
        SeatTaken: another player has it.
        NotFound, NotSeated, WrongStatus: nothing has changed.

    """
    game, player = access.seat_to_choose(user, slug)
    seats.check_open(game)
    if seats.choose_colour(game, player, colour):
        seats.tell_seats(game, moves.moment(now))
    return game
