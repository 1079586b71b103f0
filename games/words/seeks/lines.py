"""Standing seeks in words: what is wanted, how far it is so, and why one rests."""

from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext

from games.words.clocks import PACE_NAMES
from games.words.names import kind_name

HOUR_MINUTES = 60


def seek_title(variant: str) -> str:
    """Return the board that is sought, with its players: "Block-You, 4 players"."""
    return kind_name(variant)


def seek_line(pace: str, number: int, wait: int, *, is_rated: bool) -> str:
    """Return what is wanted: "up to 3 games · pace: Normal · rated"."""
    parts = [
        ngettext("up to %(n)d game", "up to %(n)d games", number) % {"n": number},
        gettext("pace: %(name)s") % {"name": PACE_NAMES[pace]} if pace in PACE_NAMES else gettext("no time limit"),
        gettext("rated") if is_rated else gettext("not rated"),
    ]
    return " · ".join([*parts, wait_line(wait)] if wait else parts)


def wait_line(minutes: int) -> str:
    """Return after how long bots take the empty seats."""
    if minutes < HOUR_MINUTES:
        sentence = ngettext("bots after %(n)d minute", "bots after %(n)d minutes", minutes)
        return sentence % {"n": minutes}
    hours = minutes // HOUR_MINUTES
    return ngettext("bots after %(n)d hour", "bots after %(n)d hours", hours) % {"n": hours}


def state_line(running: int, waiting: int) -> str:
    """Return how many games are under way, and how many tables wait for players."""
    found = ngettext("%(n)d game under way", "%(n)d games under way", running) % {"n": running}
    if not waiting:
        return found
    tables = ngettext("%(n)d table waiting for players", "%(n)d tables waiting for players", waiting) % {"n": waiting}
    return f"{found} · {tables}"


def rest_line(rest: str, until: datetime | None) -> str:
    """Return why a seek rests, and what helps; empty where it does not."""
    match rest:
        case "left":
            when = date_format(timezone.localtime(until), "DATETIME_FORMAT") if until else ""
            return gettext("Rests until %(when)s, since you left a table.") % {"when": when}
        case "holiday":
            return gettext("Rests while you are on holiday.")
        case "no-one":
            return gettext("Rests, since you let no one invite you.")
        case "late":
            return gettext("Rests, since you ran out of time in a game.")
        case "idle":
            return gettext("Rests, since no one came to your table for two weeks.")
        case "evening":
            return gettext("Rests, since the evening is over. Go on when you have time for a game at one go.")
        case "quiet":
            when = date_format(timezone.localtime(until), "TIME_FORMAT") if until else ""
            return gettext("Rests in your quiet hours, until %(when)s.") % {"when": when}
        case "owes":
            return gettext("Rests, since others have waited for your move for a week. Play it, and it goes on.")
    return ""
