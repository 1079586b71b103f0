"""Take an empty seat."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import access, moves, seats
from games.models import Game


@transaction.atomic
def join_game(user: User, slug: str, *, seat: int | None = None, token: str = "", now: datetime | None = None) -> Game:
    """Seat the user: where invited, else where the link's token or an open table allows; the last seat starts the game.

    Joining twice is joining once.

    Raises:
        NotFound, NotSeated, WrongStatus, SeatTaken, TooMany: nothing has changed.

    """
    person = seats.lock_person(user)
    game = access.game_to_change(person, slug, token)
    if access.seat_of(game, person) is not None:
        return game
    seats.check_open(game)
    player = seats.seat_for(game, person, seat, token)
    seats.check_limit(person)
    seats.take(game, player, person, moves.moment(now))
    return game
