"""Note that a player looks at a game, or no longer does: no turn e-mail goes to who is looking."""

from datetime import datetime, timedelta

from games.models import Player

#: A player who keeps looking is noted this often, and no more: every note is a write.
NOTED_EVERY = timedelta(minutes=1)


def note_presence(player: Player, *, is_looking: bool, now: datetime) -> None:
    """Write down when the player last looked at this game, or that they look no longer.

    The game's version stays: nothing visible has changed. One query where there is something to write, else none.
    """
    is_due = player.seen_at is None or now - player.seen_at >= NOTED_EVERY
    if is_due if is_looking else player.seen_at is not None:
        player.seen_at = now if is_looking else None
        player.save(update_fields=["seen_at"])
