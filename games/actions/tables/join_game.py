"""Take an empty seat."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.base import access
from games.models import Game
from games.table import moves, seats


@transaction.atomic
def join_game(
    user: User, slug: str, *, seat: int | None = None, colour: str = "", token: str = "", now: datetime | None = None
) -> Game:
    """Seat the user: where invited, else where the link's token or an open table allows; the last seat starts the game.

    Where players choose, the user gets the colour asked for, if it is free; of named opening pieces, either side's.
    Joining twice is joining once.

    Raises:
        BadRequest: the table has no such colour.
        NotSeated: the table asks for players who make more of their turns in time (`unreliable`), or is rated and the
            person has a seat by another account (`same-person`), or see below.
        NotFound, NotSeated, WrongStatus, SeatTaken, TooMany: nothing has changed.

    """
    person = seats.lock_person(user)
    game = access.game_to_change(person, slug, token)
    if access.seat_of(game, person) is not None:
        return game
    seats.check_open(game)
    player = seats.seat_for(game, person, seat, token, colour)
    seats.check_reliable(game, player, person)
    seats.check_one_person(game, person)
    if game.creator_id != person.pk:
        # Their own table is one of theirs already.
        seats.check_limit(person)
    if colour:
        seats.choose_colour(game, player, colour)
    seats.take(game, player, person, moves.moment(now))
    return game
