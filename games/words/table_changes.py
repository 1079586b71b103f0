"""What the person who opened a table has changed at it, in words."""

from django.utils.translation import gettext, ngettext

from games.values import Change, ChangeMade, RemovalReason
from games.words import clocks, names
from games.words.happenings import absences


def reasons() -> list[tuple[str, str]]:
    """Return the reasons for which a player may be removed, to choose from."""
    return [(reason.value, str(reason.label)) for reason in RemovalReason]


def change_text(made: ChangeMade) -> str:
    """Return one change as a sentence."""
    match made.change:
        case Change.TIME:
            return gettext("Time: %(time)s.") % {"time": clocks.time_name(made.time)}
        case Change.STAND_IN:
            # Only tables of three or more have a choice.
            return absences.table_rule(3, made.bot)
        case Change.PRIVACY if made.is_public:
            return gettext("Everyone can watch now.")
        case Change.PRIVACY:
            return gettext("Only the players can watch now.")
        case Change.SWAPPED:
            one, other = (seat + 1 for seat in made.seats)
            return gettext("Seats %(one)d and %(other)d were exchanged.") % {"one": one, "other": other}
        case Change.REMOVED:
            return gettext("A player was removed: %(reason)s.") % {"reason": _reason(made.reason)}
        case Change.BOT_REMOVED:
            return gettext("A bot was removed.")
        case Change.BOTS_LATER:
            return _bots_later(made.hours, made.bot)
        case Change.CHOOSING if made.lets_choose:
            return gettext("Players choose their colours now.")
        case Change.CHOOSING:
            return gettext("The colours now stay as they are.")
    return gettext("The table has another name.")


def reason_text(reason: str) -> str:
    """Return the reason of a removal as a sentence for the player who was removed."""
    return gettext("Reason: %(reason)s.") % {"reason": _reason(reason)}


def hours_text(hours: int) -> str:
    """Return after how many hours bots take the empty seats, as a choice; 0 for never."""
    if hours == 0:
        return gettext("Never")
    return ngettext("After %(n)d hour", "After %(n)d hours", hours) % {"n": hours}


def minutes_text(minutes: int) -> str:
    """Return after how many minutes bots take the empty seats, as a choice."""
    return ngettext("After %(n)d minute", "After %(n)d minutes", minutes) % {"n": minutes}


def _reason(reason: str) -> str:
    label = str(RemovalReason(reason).label) if reason in RemovalReason.values else str(RemovalReason.OTHER.label)
    return label[:1].lower() + label[1:]


def _bots_later(hours: int, bot: str) -> str:
    if hours == 0:
        return gettext("Bots no longer take the empty seats.")
    text = ngettext(
        "After %(n)d hour, %(bot)s takes the empty seats.", "After %(n)d hours, %(bot)s takes the empty seats.", hours
    )
    return text % {"n": hours, "bot": names.bot_name(bot)}
