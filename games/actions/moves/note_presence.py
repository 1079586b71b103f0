"""Note that players look at their games, or no longer do: no turn e-mail goes to who is looking."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from games.models import Player

#: A player who keeps looking is noted this often, and no more: every note is a write.
NOTED_EVERY = timedelta(minutes=1)


def note_presence(players: Iterable[Player], *, is_looking: bool, now: datetime) -> None:
    """Write down when these players last looked at their games, or that they look no longer.

    The games' versions stay: nothing visible has changed. One query where there is something to write, else none.
    """
    seen_at = now if is_looking else None
    due = [player for player in players if _is_due(player, seen_at)]
    for player in due:
        player.seen_at = seen_at
    if due:
        Player.objects.filter(pk__in={player.pk for player in due}).update(seen_at=seen_at)


def _is_due(player: Player, seen_at: datetime | None) -> bool:
    if player.seen_at is None or seen_at is None:
        return player.seen_at is not seen_at
    return seen_at - player.seen_at >= NOTED_EVERY
