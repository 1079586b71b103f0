"""End a pause that has lasted for as long as one may."""

from datetime import datetime

from django.db import transaction

from games import access, clock, lifecycle


@transaction.atomic
def expire_pause(slug: str, *, now: datetime) -> bool:
    """Let the game go on if its pause has lasted for long enough; return whether it has. The site does so.

    Players have then as much time as they had when the pause began.

    Raises:
        NotFound: there is no such game.

    """
    game = access.game_to_close(slug)
    is_due = clock.is_past(game.pause_ends_at, now)
    if is_due:
        lifecycle.finish_pause(game, now)
    return is_due
