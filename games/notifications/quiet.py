"""The quiet hours of people: what can wait until they end is held until then."""

from datetime import datetime
from typing import TYPE_CHECKING

from accounts.models import User
from games import clock
from games.values import Occasion

if TYPE_CHECKING:
    from games.models import Notification

#: What is about a turn that may end before the quiet hours do.
PRESSING = frozenset({Occasion.TURN, Occasion.DEADLINE})


def quiet_until(user: User, now: datetime) -> datetime | None:
    """Return when the quiet hours end that the person is in now; None outside them."""
    begins, ends = user.quiet_minutes
    return clock.still_until(clock.Rest(user.time_zone or "UTC", begins, ends), now)


def held_until(notification: "Notification", now: datetime) -> datetime | None:
    """Return until when a message about this is to wait; None if it goes out now.

    A turn whose time is up before the quiet hours end does not wait.
    """
    until, deadline = quiet_until(notification.user, now), notification.game.deadline
    if until is None or (notification.occasion in PRESSING and deadline is not None and deadline <= until):
        return None
    return until
