"""Give the player whose turn it is one more day."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.base import access, apart
from games.models import Game
from games.table import moves
from games.table.kindness import days


@transaction.atomic
def give_day(user: User, slug: str, *, number: int, now: datetime | None = None) -> Game:
    """Give the player who is to make the move of that number one more day, as each other player may once in a game.

    The clock has then a day longer to run in this turn; what is not used of it is no one's. A request that is sent
    twice gives one day. Between people of whom one has blocked the other a day is given as between all others, so that
    neither learns of the block; but the one who gets it is not notified.

    Raises:
        StaleGame: another move is due by now.
        WrongStatus: it is the user's own turn (`own-turn`), they have given their day (`day-given`), no clock runs
            (`no-clock`, `paused`) or only short ones do (`quick-game`), a day would come too late (`time-is-up`), or
            the game is not running.
        NotSeated: the user only looks, has left the game, or is a bot account (`program`).
        NotFound: there is no such game for this person.

    """
    game = access.game_to_play(user, slug)
    player = access.own_seat(game, user)
    moves.check_running(game)
    if any((day.giver, day.number) == (player.seat, number) for day in game.days_given):
        return game
    moves.check_due(game, number)
    at = moves.moment(now)
    days.check_may_give(game, player, user, at)
    days.give(game, moves.load_moves(game), player, at, silent_for=apart.apart_from(user))
    return game
