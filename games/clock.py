"""Correspondence time: pure functions over datetimes given to them. All spans are whole seconds."""

from dataclasses import dataclass
from datetime import datetime, timedelta

DAY = 24 * 3600


@dataclass(frozen=True)
class TimeControl:
    """Initial time, increment after each own move, and the cap no clock exceeds; None everywhere means unlimited.

    "N days a move" is initial = increment = cap = N days.
    """

    initial: int | None = None
    increment: int | None = None
    cap: int | None = None

    @classmethod
    def days_a_move(cls, days: int | None) -> "TimeControl":
        """Return the control that gives every move the same number of days; None is unlimited."""
        if days is None:
            return cls()
        return cls(days * DAY, days * DAY, days * DAY)

    @property
    def is_unlimited(self) -> bool:
        """Whether no clock runs."""
        return self.initial is None


def deadline(since: datetime, clock: int | None) -> datetime | None:
    """Return when a turn that began at `since` with `clock` seconds runs out; None if never."""
    return None if clock is None else since + timedelta(seconds=clock)


def after_move(control: TimeControl, clock: int | None, since: datetime, now: datetime) -> int | None:
    """Return the clock after a move made at `now`: what was left, plus the increment, at most the cap.

    A move that arrives late but before anybody claimed counts as made in the last second.
    """
    if clock is None or control.increment is None or control.cap is None:
        return None
    left = max(0, clock - int((now - since).total_seconds()))
    return min(control.cap, left + control.increment)


def is_past(moment: datetime | None, now: datetime) -> bool:
    """Whether the deadline has gone by; never for None."""
    return moment is not None and now >= moment
