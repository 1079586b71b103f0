"""Notifying of a turn without waiting for workers."""

from datetime import datetime

from games.notifications.deliver import deliver
from games.notifications.turns import announce_turn


def deliver_turn(player_id: int, number: int, *, now: datetime) -> bool:
    """Tell the player at once that this move is theirs; return whether a message was sent."""
    sent = [deliver(key, 0, now=now) for key in announce_turn(player_id, number, now=now)]
    return any(sent)
