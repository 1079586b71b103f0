"""End a pause that has lasted for as long as one may."""

from datetime import datetime

from django.db import transaction

from games import clock
from games.base import access
from games.table import moves, pauses


@transaction.atomic
def expire_pause(slug: str, *, now: datetime | None = None) -> bool:
    """End the pause of a game if it has lasted for long enough; return whether it has. The site does so.

    Players have then as much time as they had when the pause began. The database's clock decides unless a moment is
    given.

    Raises:
        NotFound: there is no such game.

    """
    game = access.game_to_close(slug)
    if game.pause_ends_at is None:
        return False
    at = moves.moment(now)
    is_due = clock.is_past(game.pause_ends_at, at)
    if is_due:
        pauses.finish_pause(game, at)
    return is_due
