"""What can wait until the quiet hours of its person end is held until then."""

from datetime import datetime
from typing import TYPE_CHECKING

from games.base.quiet import quiet_until
from games.values import Occasion

if TYPE_CHECKING:
    from games.models import Notification

#: What is about a turn that may end before the quiet hours do.
PRESSING = frozenset({Occasion.TURN, Occasion.DEADLINE})


def held_until(notification: "Notification", now: datetime) -> datetime | None:
    """Return until when a message about this is to wait; None if it goes out now.

    A turn whose time is up before the quiet hours end does not wait.
    """
    until, deadline = quiet_until(notification.user, now), notification.game.deadline
    if until is None or (notification.occasion in PRESSING and deadline is not None and deadline <= until):
        return None
    return until
