"""When something happened, as people say it, and how long it took."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language, gettext, ngettext, pgettext

from games.base.welcome import is_online
from games.clock import DAY, HOUR, MINUTE
from games.words import deadlines

#: Days for which a moment is given as how long ago it was, as in `static/site/ago.js`; older ones have a date.
RECENT_DAYS = 7
#: The day of a visit has its year once it is so long ago.
OF_ANOTHER_YEAR = timedelta(days=300)
#: Moments whose exact words are remembered: those of about a hundred games that are looked at.
MOMENTS_REMEMBERED = 8192


@dataclass(frozen=True)
class When:
    """A moment that a page shows: in words as of now, and to the minute in the reader's time zone, which it names."""

    moment: datetime
    words: str
    exact: str


@dataclass(frozen=True)
class Here:
    """When a person was here, in words; a dot of a colour says as much of one who is online."""

    is_online: bool
    words: str


def when(moment: datetime | None, now: datetime) -> When | None:
    """Return how a page shows a moment, None where there is none."""
    if moment is None:
        return None
    return When(moment, ago(moment, now), _exact(moment, timezone.get_current_timezone_name(), get_language()))


def ago(moment: datetime, now: datetime) -> str:
    """Return how long ago a moment was in its largest unit, rounded down; after a week its date."""
    seconds = max(0, int((now - moment).total_seconds()))
    if seconds < MINUTE:
        return gettext("just now")
    if seconds < HOUR:
        return ngettext("%(n)d minute ago", "%(n)d minutes ago", seconds // MINUTE) % {"n": seconds // MINUTE}
    if seconds < DAY:
        return ngettext("%(n)d hour ago", "%(n)d hours ago", seconds // HOUR) % {"n": seconds // HOUR}
    if seconds < RECENT_DAYS * DAY:
        return ngettext("%(n)d day ago", "%(n)d days ago", seconds // DAY) % {"n": seconds // DAY}
    date = date_format(timezone.localtime(moment), "DATE_FORMAT")
    return pgettext("a day on which something happened", "%(date)s") % {"date": date}


def here(seen_at: datetime | None, now: datetime) -> Here | None:
    """Return when a person was here as a page says it, None where it is not known to the reader."""
    if seen_at is None:
        return None
    if is_online(seen_at, now):
        return Here(is_online=True, words=gettext("Online now"))
    day, today = timezone.localtime(seen_at).date(), timezone.localtime(now).date()
    if day >= today:
        return Here(is_online=False, words=gettext("Here today"))
    if day == today - timedelta(days=1):
        return Here(is_online=False, words=gettext("Last here yesterday"))
    form = "MONTH_DAY_FORMAT" if now - seen_at < OF_ANOTHER_YEAR else "DATE_FORMAT"
    return Here(is_online=False, words=gettext("Last here on %(day)s") % {"day": date_format(day, form)})


def took(seconds: float) -> str:
    """Return how long something took in its two largest units: "took 2 h 5 min"; empty for less than a second."""
    whole = int(seconds)
    return gettext("took %(time)s") % {"time": _span(whole)} if whole > 0 else ""


def paused(seconds: float) -> str:
    """Return for how long a game was paused in the same way: "paused for 3 d"; empty for less than a second."""
    whole = int(seconds)
    return gettext("paused for %(time)s") % {"time": _span(whole)} if whole > 0 else ""


def holidays(seconds: float) -> str:
    """Return in the same way how much of a turn its player was on holiday: "2 d of holidays"."""
    whole = int(seconds)
    return gettext("%(time)s of holidays") % {"time": _span(whole)} if whole > 0 else ""


def pause_line(began: datetime, ended: datetime | None) -> str:
    """Return in a sentence when a game was paused and for how long, or since when it is, in the reader's time zone."""
    values = {"moment": deadlines.exact(began)}
    if ended is None:
        return gettext("Paused since %(moment)s.") % values
    whole = int((ended - began).total_seconds())
    return gettext("Paused on %(moment)s for %(time)s.") % {**values, "time": _span(whole)}


def ends_line(first: datetime, last: datetime) -> str:
    """Return in a sentence between which days a game will probably end, or on which day where both are the same."""
    days = timezone.localtime(first).date(), timezone.localtime(last).date()
    until = date_format(days[1], "MONTH_DAY_FORMAT")
    if days[0] == days[1]:
        return gettext("This game will probably end around %(day)s.") % {"day": until}
    # In all our languages the day stands before its month: "3 to 9 January".
    is_one_month = (days[0].year, days[0].month) == (days[1].year, days[1].month)
    since = date_format(days[0], "j" if is_one_month else "MONTH_DAY_FORMAT")
    return gettext("This game will probably end between %(first)s and %(last)s.") % {"first": since, "last": until}


def _span(seconds: int) -> str:
    """Return a span of time without what is too small to matter, and without a unit of which there is none."""
    minute, hour, day = gettext("%(n)d min"), gettext("%(n)d h"), gettext("%(n)d d")
    if seconds < MINUTE:
        return gettext("%(n)d s") % {"n": seconds}
    if seconds < HOUR:
        return minute % {"n": seconds // MINUTE}
    larger, smaller = (hour, minute) if seconds < DAY else (day, hour)
    first, second = (HOUR, MINUTE) if seconds < DAY else (DAY, HOUR)
    parts = [larger % {"n": seconds // first}, smaller % {"n": seconds % first // second}]
    return " ".join(parts if seconds % first // second else parts[:1])


@lru_cache(maxsize=MOMENTS_REMEMBERED)
def _exact(moment: datetime, _zone: str, _language: str | None) -> str:
    return deadlines.exact(moment)
