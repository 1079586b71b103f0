"""What a person has left of their holidays, and when they are away."""

from dataclasses import dataclass
from datetime import datetime

from accounts.models import User
from games import clock
from games.models import Holiday, HolidayBook

#: So many holidays are listed, the latest.
_LISTED = 30


@dataclass(frozen=True)
class TakenHoliday:
    """A holiday: when it begins and ends, and whether it was taken by itself."""

    begins_at: datetime
    ends_at: datetime
    is_automatic: bool


@dataclass(frozen=True)
class HolidayState:
    """How many seconds a person has left, whether days are taken by themselves, and the latest holidays, last first."""

    seconds: int
    spends_itself: bool
    taken: tuple[TakenHoliday, ...]


def holidays_of(user: User, now: datetime) -> HolidayState:
    """Return a person's holidays at a moment. Two queries."""
    book = HolidayBook.objects.filter(user=user).first()
    held, since = (book.seconds, book.counted_at) if book else (0, user.date_joined)
    found = Holiday.objects.filter(user=user).order_by("-ends_at")[:_LISTED]
    return HolidayState(
        seconds=clock.earned_holidays(held, since, now),
        spends_itself=book is not None and book.spends_itself,
        taken=tuple(TakenHoliday(each.begins_at, each.ends_at, each.is_automatic) for each in found),
    )
