"""A person's own holidays: what is left, what was taken, and a form for more."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext

from accounts.models import User
from games.clock import DAY
from games.queries.people.holidays import TakenHoliday, holidays_of


@dataclass(frozen=True)
class HolidayLine:
    """A holiday in words, and whether it was taken by itself."""

    words: str
    is_automatic: bool
    is_over: bool


@dataclass(frozen=True)
class HolidaysPage:
    """What the reader has left, in words; `today` is the first day that a holiday can begin, as a form writes it."""

    left: str
    has_day: bool
    spends_itself: bool
    today: str
    taken: tuple[HolidayLine, ...]


def holidays_page(user: User, now: datetime) -> HolidaysPage:
    """Return the page of a person's holidays. Two queries."""
    state = holidays_of(user, now)
    days = state.seconds // DAY
    return HolidaysPage(
        left=ngettext("%(n)d day left", "%(n)d days left", days) % {"n": days},
        has_day=days > 0,
        spends_itself=state.spends_itself,
        today=timezone.localtime(now).date().isoformat(),
        taken=tuple(_line(each, now) for each in state.taken),
    )


def _line(each: TakenHoliday, now: datetime) -> HolidayLine:
    first, last = (timezone.localtime(moment) for moment in (each.begins_at, each.ends_at))
    values = {"first": date_format(first, "DATETIME_FORMAT"), "last": date_format(last, "DATETIME_FORMAT")}
    words = gettext("From %(first)s to %(last)s") % values
    return HolidayLine(words, each.is_automatic, each.ends_at <= now)
