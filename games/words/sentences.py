"""The words of play: colours, pieces, reasons, moves, turns and results as sentences a player understands."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Protocol

from django.utils import formats, timezone
from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import gettext, ngettext, pgettext
from django.utils.translation import gettext_lazy as _

from accounts import traditions
from games.errors import NOT_ALLOWED
from games.rules import Placement, errors
from games.rules.notation import format_cells
from games.values import Reason

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
    errors.UNKNOWN_PIECE: _("These cells do not form a piece. Choose one from the tray."),
    errors.WRONG_SHAPE: _("These cells do not form the piece you named. Choose it from the tray."),
    errors.ALREADY_PLACED: _("This piece is already on the board. Choose another one."),
    errors.OFF_BOARD: _("It goes off the board. Move it inwards."),
    errors.OVERLAP: _("Already taken: %(cells)s. Move it to free cells."),
    errors.START_CELL: _("Your first piece must cover your start cell, %(cells)s."),
    errors.OPENING_PIECE: _("You cannot open with this piece at this table. Choose another one."),
    errors.NO_CORNER_CONTACT: _("It does not touch any of your corners. Move it to a marked corner."),
    errors.EDGE_CONTACT: _("It touches one of your own pieces along an edge, at %(cells)s. Only corners may touch."),
    errors.MUST_PLACE: _("You can still place a piece, so you cannot pass."),
}

ENDS: dict[str, str | Promise] = {
    Reason.PLAYED_OUT: _("No one could place another piece."),
    Reason.TRAILING: _("A player had to pass with the lowest score."),
    Reason.RESIGNED: _("Everyone else resigned."),
    Reason.OUT_OF_TIME: _("Everyone else resigned or ran out of time."),
}

RETIRED: dict[str, str | Promise] = {
    Reason.RESIGNED: _("resigned"),
    Reason.OUT_OF_TIME: _("out of time"),
}


def colour(code: str) -> str:
    """Return the name of a colour, as the reader of the page calls it (`accounts.traditions`)."""
    others = OTHER_NAMES.get(traditions.current(), {})
    return str(others.get(code) or COLOURS.get(code, code))


def listed(names: Sequence[str]) -> str:
    """Return names as a list in words: "a", "a and b", "a, b and c"."""
    return get_text_list(list(names), gettext("and"))


def reason(code: str, cells: Sequence[str]) -> str:
    """Return why a move was refused, with the cells at fault by name."""
    return str(REASONS.get(code, NOT_ALLOWED)) % {"cells": ", ".join(cells)}


def retired(reason: str) -> str:
    """Return why a seat has left the game, empty if it has not."""
    return str(RETIRED.get(reason, ""))


def if_away(text: str, *, is_away: bool) -> str:
    """Return what is said of a player's seat, with the word that they are away, if so."""
    return f"{gettext('away')} · {text}" if is_away else text


def end_reason(reason: str) -> str:
    """Return why a game ended."""
    return str(ENDS.get(reason, ""))


class Finisher(Protocol):
    """A player whose game is over."""

    @property
    def name(self) -> str:
        """Return who it is, "You" for the viewer."""

    @property
    def is_you(self) -> bool:
        """Whether it is the viewer."""

    @property
    def is_winner(self) -> bool:
        """Whether no player did better."""


def verdict(players: Iterable[Finisher]) -> str:
    """Return who won."""
    winners = [player for player in players if player.is_winner]
    if len(winners) == 1:
        return gettext("You won") if winners[0].is_you else gettext("%(name)s won") % {"name": winners[0].name}
    return gettext("%(names)s are tied") % {"names": listed([player.name for player in winners])}


def slot(piece: str, size: int, is_left: bool, is_playable: bool) -> str:
    """Return what a place of the tray says to a player who does not see it."""
    values = {"piece": _piece_alone(piece), "cells": ngettext("%(n)d cell", "%(n)d cells", size) % {"n": size}}
    if not is_left:
        return gettext("%(piece)s, placed") % values
    if not is_playable:
        return gettext("%(piece)s, %(cells)s, does not fit anywhere now") % values
    return gettext("%(piece)s, %(cells)s") % values


def piece_called(piece: str) -> str:
    """Return what a piece is called in a sentence: a number alone would be read as how many there are."""
    return pgettext("placed", "piece %(piece)s") % {"piece": piece} if piece.isdigit() else piece


def _piece_alone(piece: str) -> str:
    return gettext("Piece %(piece)s") % {"piece": piece} if piece.isdigit() else piece


def day(moment: datetime) -> str:
    """Return the day of a moment without its year: "23 November", "November 23"."""
    return formats.date_format(timezone.localtime(moment), "MONTH_DAY_FORMAT")


def pieces(count: int) -> str:
    """Return how many pieces are left to place, where they are shown or counted further."""
    return ngettext("%(n)d piece", "%(n)d pieces", count) % {"n": count} if count else gettext("every piece placed")


def pieces_left(count: int) -> str:
    """Return the same where nothing else says that they are left."""
    return ngettext("%(n)d piece left", "%(n)d pieces left", count) % {"n": count} if count else pieces(0)


def stock(count: int, cells: int) -> str:
    """Return how many pieces are left to place, and how many cells they have."""
    cells_text = ngettext("%(n)d cell left", "%(n)d cells left", cells) % {"n": cells}
    return f"{pieces(count)} · {cells_text}" if count else pieces(0)


def percent(number: int) -> str:
    """Return a number of percent, as text."""
    return gettext("%(n)d%%") % {"n": number}


def decimal(number: float) -> str:
    """Return a number with one decimal, as text. Django's formats have the point, which drawings need."""
    whole, _point, tenths = f"{number:.1f}".partition(".")
    return gettext("%(whole)s.%(tenths)s") % {"whole": whole, "tenths": tenths}


def score_text(score: int) -> str:
    """Return a score with a true minus sign."""
    return str(score).replace("-", "\N{MINUS SIGN}")


def placed_text(count: int, cells: int) -> str:
    """Return how a seat or a colour stands: how many of its cells are placed."""
    return pgettext("cells placed", "%(count)d of %(total)d") % {"count": count, "total": cells}


def placement_label(placement: Placement) -> str:
    """Return a placement in words: "F at e5: e5, f5, f6, g6, f7", of a single cell "Piece 1 at t20"."""
    cells = format_cells(placement.points).split(",")
    values = {"piece": placement.piece, "cell": cells[0], "cells": ", ".join(cells)}
    if len(cells) == 1:
        return gettext("%(piece)s at %(cell)s") % {**values, "piece": _piece_alone(placement.piece)}
    return gettext("%(piece)s at %(cell)s: %(cells)s") % values


def placement_start(placement: Placement) -> str:
    """Return a placement in words beside a picture that shows its cells: "F at e5"."""
    values = {"piece": _piece_alone(placement.piece), "cell": format_cells(placement.points).split(",")[0]}
    return gettext("%(piece)s at %(cell)s") % values


def placement_choices(legal: Iterable[Placement], piece: str) -> tuple[tuple[str, str], ...]:
    """Return where a piece may be placed, each as it is recorded and in words."""
    return tuple((str(placement), placement_label(placement)) for placement in legal if placement.piece == piece)
