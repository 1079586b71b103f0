"""Days that players have given, and holidays that they have taken. Names are empty where the reader is meant."""

from datetime import datetime

from django.utils.translation import gettext, ngettext

from games.words import clocks, deadlines


def day_line(giver: str, receiver: str) -> str:
    """Return in a sentence who has given whom a day."""
    if not giver:
        return gettext("You gave %(other)s a day.") % {"other": receiver}
    if not receiver:
        return gettext("%(name)s gave you a day.") % {"name": giver}
    return gettext("%(name)s gave %(other)s a day.") % {"name": giver, "other": receiver}


def holiday_line(name: str, seconds: int) -> str:
    """Return in a sentence how much of a player's holidays lies in the turn that is due."""
    values = {"time": clocks.usual_time(seconds), "name": name}
    if not name:
        return gettext("%(time)s of your holidays on this move.") % values
    return gettext("%(time)s of %(name)s's holidays on this move.") % values


def away_line(name: str, begins: datetime, ends: datetime) -> str:
    """Return in a sentence when a player is or was on holiday, in the reader's time zone."""
    values = {"name": name, "begins": deadlines.exact(begins), "ends": deadlines.exact(ends)}
    if not name:
        return gettext("Your holidays: from %(begins)s to %(ends)s.") % values
    return gettext("Holidays of %(name)s: from %(begins)s to %(ends)s.") % values


def days_given(count: int) -> str:
    """Return beside how long a move took that days were given for it, empty for none."""
    return ngettext("with %(n)d given day", "with %(n)d given days", count) % {"n": count} if count else ""


def day_line_of_move(giver: str, receiver: str, number: int) -> str:
    """Return the same with the number of the move that the day was for."""
    values = {"name": giver, "other": receiver, "number": number}
    if not giver:
        return gettext("You gave %(other)s a day for move %(number)d.") % values
    if not receiver:
        return gettext("%(name)s gave you a day for move %(number)d.") % values
    return gettext("%(name)s gave %(other)s a day for move %(number)d.") % values
