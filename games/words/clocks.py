"""Time controls and clocks as people read them."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext, pgettext
from django.utils.translation import gettext_lazy as _

from games.clock import DAY, HOUR, MINUTE, TimeControl

#: From so many seconds for a move on it is said how many moves there are a day.
SEVERAL_A_DAY = 4 * HOUR
#: What the paces of `games.clock.PACES` are called.
PACE_NAMES: Mapping[str, str | Promise] = {
    "evening": _("Same evening"),
    "fast": _("Fast"),
    "normal": _("Normal"),
    "slow": _("Slow"),
}

#: Between a figure and its unit: where there is too little room, whole units fall away.
NO_BREAK = "\N{NO-BREAK SPACE}"


def span_name(seconds: int) -> str:
    """Return a span of whole minutes in words: "3 days", "1 day 12 hours"."""
    return " ".join(_units(seconds - seconds % MINUTE))


def usual_time(seconds: int) -> str:
    """Return how long something usually takes: in minutes, from an hour on in hours, from two days on in days."""
    if seconds < HOUR:
        minutes = max(1, round(seconds / MINUTE))
        return ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}
    if seconds < 2 * DAY:
        hours = round(seconds / HOUR)
        return ngettext("%(n)d hour", "%(n)d hours", hours) % {"n": hours}
    days = round(seconds / DAY)
    return ngettext("%(n)d day", "%(n)d days", days) % {"n": days}


def time_in_words(seconds: int) -> str:
    """Return the time on a clock to be heard, in its two largest units: "2 days 3 hours", "14 minutes 59 seconds".

    `static/spoken/time_left.js` writes the same.
    """
    units = _units(max(0, seconds))
    return " ".join(units[:2]) or ngettext("%(n)d second", "%(n)d seconds", 0) % {"n": 0}


def _units(seconds: int) -> list[str]:
    """Return a span in days, hours, minutes and seconds, without those of which there is none."""
    minutes, seconds = divmod(seconds, MINUTE)
    hours, minutes = divmod(minutes, HOUR // MINUTE)
    days, hours = divmod(hours, DAY // HOUR)
    units = (
        ngettext("%(n)d day", "%(n)d days", days) % {"n": days} if days else "",
        ngettext("%(n)d hour", "%(n)d hours", hours) % {"n": hours} if hours else "",
        ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes} if minutes else "",
        ngettext("%(n)d second", "%(n)d seconds", seconds) % {"n": seconds} if seconds else "",
    )
    return [unit for unit in units if unit]


def time_name(time: TimeControl) -> str:
    """Return what was agreed about time: "3 days + 1 day per move, up to 7 days on the clock", "3 days a move"."""
    name = _spans_name(time)
    return gettext("%(time)s, not at weekends") % {"time": name} if time.rests_weekends else name


def _spans_name(time: TimeControl) -> str:
    if time.initial is None or time.increment is None or time.cap is None:
        return gettext("no time limit")
    if time.per_move and time.per_move % DAY == 0:
        days = time.per_move // DAY
        return ngettext("%(n)d day a move", "%(n)d days a move", days) % {"n": days}
    if time.per_move:
        return gettext("%(time)s a move") % {"time": span_name(time.per_move)}
    spans = {"initial": span_name(time.initial), "increment": span_name(time.increment), "cap": span_name(time.cap)}
    return gettext("%(initial)s + %(increment)s per move, up to %(cap)s on the clock") % spans


def pace_name(time: TimeControl) -> str:
    """Return in a few words how fast a game goes with an agreement about time: "about a move a day".

    It is what a player can use again and again; `time_name` says all that was agreed.
    """
    if time.increment is None or time.per_move:
        return time_name(time)
    days, many = round(time.increment / DAY), round(DAY / time.increment)
    if days > 1:
        name = ngettext("about a move in %(n)d day", "about a move every %(n)d days", days) % {"n": days}
    elif time.increment < SEVERAL_A_DAY:
        name = gettext("about %(time)s a move") % {"time": span_name(time.increment)}
    elif many > 1:
        name = ngettext("about %(n)d move a day", "about %(n)d moves a day", many) % {"n": many}
    else:
        name = gettext("about a move a day")
    return gettext("%(time)s, not at weekends") % {"time": name} if time.rests_weekends else name


def time_fact(time: TimeControl) -> str:
    """Return what was agreed about time as a sentence; empty where no clock runs."""
    return "" if time.is_unlimited else gettext("Time: %(time)s.") % {"time": time_name(time)}


def still_line(name: str, moment: str, *, is_weekend: bool, is_holiday: bool = False) -> str:
    """Return until when a player's clock stands still and why; no name means the reader's own clock."""
    values = {"name": name, "moment": moment}
    if is_holiday:
        yours = gettext("Your clock stands still until %(moment)s (holiday).")
        return (gettext("%(name)s: the clock stands still until %(moment)s (holiday).") if name else yours) % values
    if is_weekend:
        yours = gettext("Your clock stands still until %(moment)s (weekend).")
        return (gettext("%(name)s: the clock stands still until %(moment)s (weekend).") if name else yours) % values
    yours = gettext("Your clock stands still until %(moment)s (quiet hours).")
    return (gettext("%(name)s: the clock stands still until %(moment)s (quiet hours).") if name else yours) % values


def clock_text(seconds: int) -> str:
    """Return the time on a clock: "2 d 3 h", below a day "3 h 10", below an hour "14:59"; never less than nothing.

    `static/site/countdown.js` writes the same.
    """
    minutes, rest = divmod(max(0, seconds), MINUTE)
    hours, minutes = divmod(minutes, HOUR // MINUTE)
    days, hours = divmod(hours, DAY // HOUR)
    if days:
        return f"{days}{NO_BREAK}{pgettext('days', 'd')} {hours}{NO_BREAK}h"
    return f"{hours} h {minutes:02d}" if hours else f"{minutes:02d}:{rest:02d}"
