"""Take a holiday in advance."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.models import User
from games.clock import DAY, Still
from games.errors import BadRequest, WrongStatus
from games.models import Holiday
from games.table import moves, seats
from games.table.kindness import holidays

#: So far ahead a holiday may be taken.
_FURTHEST = timedelta(days=365)


@transaction.atomic
def take_holiday(user: User, first: date, last: date, *, now: datetime | None = None) -> Holiday:
    """Stop all clocks of a person from one day to another, both included, in games that run or begin then.

    Days are those of the person's time zone; of today what is left of it. The others at the table see it.

    Raises:
        BadRequest: the days make no sense; `field` is first or last.
        WrongStatus: the person has not earned so much yet (`not-earned`), or is on holiday then already (`overlap`).
        NotSeated: the account is closed.

    """
    person = seats.lock_person(user)
    games = holidays.running_games(person)
    at = moves.moment(now)
    begins, ends = _span(person, first, last, at)
    if Holiday.objects.filter(user=person, begins_at__lt=ends, ends_at__gt=begins).exists():
        raise WrongStatus(_("You already have a holiday in these days. Choose others."), code="overlap")
    book = holidays.open_book(person, at)
    if (ends - begins).total_seconds() > book.seconds:
        whole = book.seconds // DAY
        sentence = ngettext(
            "You have %(n)d day of holidays left. Choose a shorter holiday.",
            "You have %(n)d days of holidays left. Choose a shorter holiday.",
            whole,
        )
        raise WrongStatus(sentence % {"n": whole}, code="not-earned")
    holidays.take_days(person, book, games, (begins, ends), at, is_automatic=False)
    return Holiday.objects.filter(user=person).latest("pk")


def _span(person: User, first: date, last: date, now: datetime) -> Still:
    """Return when a holiday begins and ends by the walls of the person's time zone."""
    zone = ZoneInfo(person.time_zone or "UTC")
    today = now.astimezone(zone).date()
    if first < today:
        raise BadRequest(_("A holiday cannot begin in the past. Choose today or a later day."), field="first")
    if first > today + _FURTHEST:
        raise BadRequest(_("A holiday has to begin within a year."), field="first")
    if last < first or last > first + _FURTHEST:
        raise BadRequest(_("The last day has to come after the first, or be the same."), field="last")
    begins, ends = (datetime.combine(day, time(), zone) for day in (first, last + timedelta(days=1)))
    return max(begins, now), ends
