"""Deadlines as people say them, and about how long a game takes."""

from datetime import UTC, date, datetime, timedelta

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext, pgettext

from games.clock import DAY, HOUR, MINUTE, TimeControl
from games.rules.variants import Variant

#: A person usually moves in this part of the time that a move gets, counting what lies beyond a day only a quarter as
#: much, and even where no clock runs within a day.
USUAL_PART, LEISURE_PART, SLOWEST = 2, 8, DAY
#: Of a moment nearer than this the time of day says enough.
NEAR_MOMENT = timedelta(hours=20)
#: To a reader whose zone is not known the hour says something only of a deadline that is at most so far away.
LAST_DAY = timedelta(days=1)
#: A day in the next days is called by its name, one after them by its date.
NAMED_DAYS = timedelta(days=6)
#: How far the clocks of the westernmost zone are behind UTC: of all places the day is the earliest there.
WESTERNMOST = timedelta(hours=12)
#: How many of its pieces a colour usually places, of ten.
PLACED_OF_TEN_PIECES = 8


def time_left(deadline: datetime | None, now: datetime) -> str:
    """Return the time until a deadline in its largest unit, rounded down: "3 days left"; empty without a deadline."""
    if deadline is None:
        return ""
    seconds = int((deadline - now).total_seconds())
    if seconds <= 0:
        return gettext("time is up")
    if seconds >= DAY:
        return ngettext("%(n)d day left", "%(n)d days left", seconds // DAY) % {"n": seconds // DAY}
    if seconds >= HOUR:
        return ngettext("%(n)d hour left", "%(n)d hours left", seconds // HOUR) % {"n": seconds // HOUR}
    minutes = max(1, seconds // MINUTE)
    return ngettext("%(n)d minute left", "%(n)d minutes left", minutes) % {"n": minutes}


def exact(moment: datetime | None) -> str:
    """Return a moment to the minute, in the zone of the site, which it names; empty without a moment."""
    if moment is None:
        return ""
    local = timezone.localtime(moment)
    return f"{date_format(local, 'DATETIME_FORMAT')} {local:%Z}"


def last_safe_day(deadline: datetime, now: datetime) -> date | None:
    """Return the day on which a move is in time wherever its player is; None of a deadline of which the hour matters.

    The hour matters on the last day, and where that day is today in UTC.
    """
    day, today = (deadline - WESTERNMOST).astimezone(UTC).date(), now.astimezone(UTC).date()
    return day if deadline - now > LAST_DAY and day > today else None


def until_day(day: date, now: datetime) -> str:
    """Return until which day there is time: "until Tuesday", and of one that is not among the next six its date."""
    if day - now.astimezone(UTC).date() < NAMED_DAYS:
        return pgettext("a day of the week", "until %(day)s") % {"day": date_format(day, "l")}
    return pgettext("a date", "until %(day)s") % {"day": date_format(day, "MONTH_DAY_FORMAT")}


def near(moment: datetime, now: datetime) -> str:
    """Return a moment as `exact` does, of one in the next 20 hours the time of day alone."""
    local = timezone.localtime(moment)
    return date_format(local, "TIME_FORMAT") if moment - now < NEAR_MOMENT else exact(moment)


def game_length(variant: Variant, time: TimeControl, people: int) -> str:
    """Return about how long a game takes with this many people in its seats; bots take no time.

    A person is taken to use half of the time that there is for a move: of the increment and of a share of the initial
    time. In slow games people use less of it (`SLOWEST`).
    """
    turns = usual_turns(variant)
    return _about(turns * people * _reply(time, turns))


def estimate_line(variant: Variant, people: int) -> str:
    """Return in words how `game_length` estimates a game with this many people in its seats."""
    sentence = ngettext(
        "The length of a game for %(n)d people is an estimate: about %(turns)d moves each, usually made in half the "
        "time allowed, and within a day in slow games. Bots take no time.",
        "The length of a game for %(n)d people is an estimate: about %(turns)d moves each, usually made in half the "
        "time allowed, and within a day in slow games. Bots take no time.",
        people,
    )
    return sentence % {"n": people, "turns": round(usual_turns(variant))}


def usual_turns(variant: Variant) -> float:
    """Return how many placements a seat usually makes in a game."""
    colours = sum(map(len, variant.seat_colours(None))) + len(variant.shared)
    return len(variant.pieces) * variant.copies * colours * PLACED_OF_TEN_PIECES / 10 / variant.seats


def _reply(time: TimeControl, turns: float) -> float:
    """Return how many seconds a person usually takes for a move in a game in which they have `turns` turns."""
    if time.initial is None or time.increment is None or time.cap is None:
        return SLOWEST
    allowed = min(time.cap, time.increment + time.initial / max(turns, 1))
    return min(SLOWEST, min(allowed, DAY) / USUAL_PART + max(0, allowed - DAY) / LEISURE_PART)


def _about(seconds: float) -> str:
    if seconds < DAY:
        hours = max(1, round(seconds / HOUR))
        return ngettext("takes about %(n)d hour", "takes about %(n)d hours", hours) % {"n": hours}
    if seconds < 14 * DAY:
        days = round(seconds / DAY)
        return ngettext("takes about %(n)d day", "takes about %(n)d days", days) % {"n": days}
    weeks = round(seconds / (7 * DAY))
    return ngettext("takes about %(n)d week", "takes about %(n)d weeks", weeks) % {"n": weeks}
