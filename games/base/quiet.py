"""The quiet hours of people."""

from datetime import datetime

from accounts.models import User
from games import clock


def quiet_until(user: User, now: datetime) -> datetime | None:
    """Return when the quiet hours end that the person is in now; None outside them."""
    begins, ends = user.quiet_minutes
    return clock.still_until(clock.Rest(user.time_zone or "UTC", begins, ends), now)
