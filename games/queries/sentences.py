"""The words of play: colours, pieces, reasons, moves, turns and results as sentences a player understands."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Protocol

from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts import traditions
from games.models import Reason
from games.rules import errors

COLOURS: dict[str, str | Promise] = {
    "blue": _("Blue"),
    "yellow": _("Yellow"),
    "red": _("Red"),
    "green": _("Green"),
    "purple": _("Purple"),
    "orange": _("Orange"),
}

#: What some of them are called in the other tradition.
OTHER_NAMES: dict[str, dict[str, str | Promise]] = {
    traditions.Tradition.CYAN_VIOLET: {"blue": _("Cyan"), "yellow": _("Violet")},
}

#: Why a move is refused: what, where, what to do. `%(cells)s` are the cells at fault.
REASONS: dict[str, str | Promise] = {
    errors.GAME_OVER: _("The game is over."),
    errors.NOT_YOUR_TURN: _("It is not your turn."),
    errors.UNKNOWN_PIECE: _("These cells form no piece. Choose one from the tray."),
    errors.WRONG_SHAPE: _("These cells do not form the piece named. Choose it from the tray."),
    errors.ALREADY_PLACED: _("This piece is on the board already. Choose another."),
    errors.OFF_BOARD: _("It leaves the board. Move it inwards."),
    errors.OVERLAP: _("Already taken: %(cells)s. Move it to free cells."),
    errors.START_CELL: _("Your first piece has to cover your start cell, %(cells)s."),
    errors.OPENING_PIECE: _("Your first piece has to be one of the smallest here. Choose another."),
    errors.NO_CORNER_CONTACT: _("It touches no corner of yours. Move it to a marked corner."),
    errors.EDGE_CONTACT: _("It touches your own edge at %(cells)s. Only corners may touch."),
    errors.MUST_PLACE: _("You can still place a piece, so you cannot pass."),
}
_OTHER = _("This move is not allowed.")

ENDS: dict[str, str | Promise] = {
    Reason.PLAYED_OUT: _("Nobody could place another piece."),
    Reason.TRAILING: _("A player had to pass with the lowest score."),
    Reason.RESIGNED: _("Everybody else resigned."),
    Reason.OUT_OF_TIME: _("Everybody else gave up or ran out of time."),
}

RETIRED: dict[str, str | Promise] = {
    Reason.RESIGNED: _("resigned"),
    Reason.OUT_OF_TIME: _("out of time"),
}


def colour(code: str) -> str:
    """Return the name of a colour, as whoever is being answered calls it (`accounts.traditions`)."""
    others = OTHER_NAMES.get(traditions.current(), {})
    return str(others.get(code) or COLOURS.get(code, code))


def listed(names: Sequence[str]) -> str:
    """Return names as a list in words: "a", "a and b", "a, b and c"."""
    return get_text_list(list(names), gettext("and"))


def reason(code: str, cells: Sequence[str]) -> str:
    """Return why a move was refused, with the cells at fault by name."""
    return str(REASONS.get(code, _OTHER)) % {"cells": ", ".join(cells)}


def retired(reason: str) -> str:
    """Return why a seat has left the game, empty if it has not."""
    return str(RETIRED.get(reason, ""))


def end(reason: str) -> str:
    """Return why a game ended."""
    return str(ENDS.get(reason, ""))


class Finisher(Protocol):
    """Somebody whose game is over."""

    @property
    def name(self) -> str:
        """Return who it is, "You" for the viewer."""

    @property
    def is_you(self) -> bool:
        """Whether it is the viewer."""

    @property
    def is_winner(self) -> bool:
        """Whether nobody did better."""


def verdict(players: Iterable[Finisher]) -> str:
    """Return who won."""
    winners = [player for player in players if player.is_winner]
    if len(winners) == 1:
        return gettext("You won") if winners[0].is_you else gettext("%(name)s won") % {"name": winners[0].name}
    return gettext("%(names)s are tied") % {"names": listed([player.name for player in winners])}


def slot(piece: str, size: int, is_left: bool, is_playable: bool) -> str:
    """Return what a place of the tray says to whoever does not see it."""
    cells = ngettext("%(n)d cell", "%(n)d cells", size) % {"n": size}
    if not is_left:
        return gettext("%(piece)s, placed") % {"piece": piece}
    if not is_playable:
        return gettext("%(piece)s, %(cells)s, fits nowhere now") % {"piece": piece, "cells": cells}
    return gettext("%(piece)s, %(cells)s") % {"piece": piece, "cells": cells}


def left(deadline: datetime | None, now: datetime) -> str:
    """Return the time until a deadline as days, hours and minutes: "1d 04:12"; empty without one."""
    if deadline is None:
        return ""
    minutes = max(0, int((deadline - now).total_seconds()) // 60)
    days, rest = divmod(minutes, 24 * 60)
    clock = f"{rest // 60:02d}:{rest % 60:02d}"
    return gettext("%(days)dd %(clock)s") % {"days": days, "clock": clock} if days else clock


def pieces(count: int) -> str:
    """Return how many pieces are left to place."""
    return ngettext("%(n)d piece", "%(n)d pieces", count) % {"n": count} if count else gettext("every piece placed")


def stock(count: int, cells: int) -> str:
    """Return how many pieces are left to place, and how many cells they have."""
    cells_text = ngettext("%(n)d cell left", "%(n)d cells left", cells) % {"n": cells}
    return f"{pieces(count)} · {cells_text}" if count else pieces(0)


def percent(number: int) -> str:
    """Return so many percent."""
    return gettext("%(n)d%%") % {"n": number}
