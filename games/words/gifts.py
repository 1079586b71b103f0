"""A day that one player has given another, as the reader reads it. Names are empty where the reader is meant."""

from django.utils.translation import gettext, ngettext


def day_line(giver: str, receiver: str) -> str:
    """Return in a sentence who has given whom a day."""
    if not giver:
        return gettext("You gave %(other)s a day.") % {"other": receiver}
    if not receiver:
        return gettext("%(name)s gave you a day.") % {"name": giver}
    return gettext("%(name)s gave %(other)s a day.") % {"name": giver, "other": receiver}


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
