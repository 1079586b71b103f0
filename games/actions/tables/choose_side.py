"""Start a game with the side that a bot has chosen."""

from datetime import datetime

from django.db import transaction

from games.base import access
from games.table import moves, seats


@transaction.atomic
def choose_side(slug: str, *, bot: str, seat: int, now: datetime | None = None) -> bool:
    """Give the bot of a full table the seat that it has chosen, and start the game; return whether it did.

    The site does so. Where the game has begun meanwhile, or another sits there, nothing changes.

    Raises:
        NotFound: there is no such table.

    """
    game = access.game_to_close(slug)
    player = seats.bot_to_choose(game)
    if player is None or player.bot != bot:
        return False
    seats.start_on_side(game, player, seat, moves.moment(now))
    return True
