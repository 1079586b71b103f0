"""Note that a player looks at a game, or no longer does: no turn e-mail goes to who is looking."""

from datetime import datetime, timedelta

from games.access import Viewer
from games.models import Player

#: A player who keeps looking is noted this often, and no more: every note is a write.
NOTED_EVERY = timedelta(minutes=1)


def note_presence(user: Viewer, slug: str, *, is_looking: bool, now: datetime) -> None:
    """Write down when the user last looked at the game they play in; nothing for anybody else.

    The game's version stays: nothing visible has changed. One query, two when there is something to write.
    """
    player = None if user.pk is None else Player.objects.filter(game__slug=slug, user=user.pk).first()
    if player is None:
        return
    is_due = player.seen_at is None or now - player.seen_at >= NOTED_EVERY
    if is_due if is_looking else player.seen_at is not None:
        Player.objects.filter(pk=player.pk).update(seen_at=now if is_looking else None)
