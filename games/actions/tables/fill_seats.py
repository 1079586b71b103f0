"""Fill the empty seats of a table with bots, which starts the game."""

from datetime import datetime

from django.db import transaction

from games.base import access
from games.base.setup import check_bot
from games.base.terms import USUAL_STAND_IN
from games.models import Game, Status
from games.roster.offered import offered_bots
from games.table import moves, seats


@transaction.atomic
def fill_seats(user: access.Viewer, slug: str, *, bot: str, now: datetime | None = None) -> Game:
    """Fill the empty seats of the user's open table with bots of that stored name.

    Raises:
        BadRequest: there is no such bot.
        NotFound, NotSeated, WrongStatus: nothing has changed.

    """
    check_bot(bot, "fill_bot")
    game = access.game_to_change(user, slug)
    access.check_creator(game, user)
    seats.check_open(game)
    seats.seat_bots(game, bot, moves.moment(now))
    return game


@transaction.atomic
def fill_when_due(slug: str, *, now: datetime) -> bool:
    """Fill the empty seats with bots if that moment has come; return whether that was done. The site does so.

    Whichever commits first, this or the last player who sits down, the game starts once.

    Raises:
        NotFound: there is no such table.

    """
    game = access.game_to_close(slug)
    is_due = game.status == Status.OPEN and game.fill_at is not None and game.fill_at <= now
    if is_due:
        seats.seat_bots(game, game.fill_bot if game.fill_bot in offered_bots() else USUAL_STAND_IN, now)
    return is_due
