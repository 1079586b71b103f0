"""Cancel a table that no one has joined for a long time."""

from datetime import datetime

from django.db import transaction

from games.base import access
from games.models import Reason, Status
from games.table import seats, seeking


@transaction.atomic
def expire_table(slug: str, *, now: datetime) -> bool:
    """Cancel the open table if its time is over; return whether it was cancelled. The site does so: there is no actor.

    Raises:
        NotFound: there is no such table.

    """
    seats.lock_before(slug)
    game = access.game_to_close(slug)
    is_due = game.status == Status.OPEN and game.expires_at is not None and game.expires_at <= now
    if is_due:
        seats.cancel_table(game, now, Reason.EXPIRED)
        seeking.note_idle(game)
    return is_due
