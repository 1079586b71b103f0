"""Plans for one's next turns, in words."""

from collections.abc import Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.base import plans
from games.base.plans import Obstacle, OtherMove, PlannedMove
from games.rules import errors, record
from games.words import sentences

#: Why a plan has stopped, a sentence a code.
STOPS: dict[str, str | Promise] = {
    plans.CORNER: _("%(cells)s was covered by %(colour)s."),
    plans.PLACED: _("%(colour)s placed %(move)s."),
    plans.NOT_PLACED: _("%(colour)s did not place %(move)s."),
    plans.UNDECIDED: _("%(colour)s has not moved since you planned this."),
    plans.CAN_PLACE: _("A piece still fits, and a colour that can place has to."),
    plans.BLOCKED: _("%(colour)s has no moves left."),
    plans.TAKEN_BACK: _("Moves were taken back."),
    plans.MOVED: _("You have moved otherwise."),
    plans.STOOD_IN: _("A bot has moved for you."),
    plans.SUSPENDED: _("Your account was suspended."),
    errors.NO_CORNER_CONTACT: _("It does not touch any corner of your colour."),
    errors.EDGE_CONTACT: _("It would touch your colour along an edge, at %(cells)s."),
    errors.ALREADY_PLACED: _("Its piece is on the board already."),
}


def move_called(move: str) -> str:
    """Return a move as it is recorded in a few words: its piece and its first cell, or that it is a pass."""
    piece, _colon, cells = move.partition(":")
    if move == record.PASSED:
        return gettext("pass")
    return gettext("%(piece)s at %(cell)s") % {"piece": piece, "cell": cells.partition(",")[0]}


def choices_text(choices: Sequence[PlannedMove]) -> str:
    """Return the moves that are listed for a turn in one line: "F at e5, else V3 at g4"."""
    first, *others = (move_called(choice.move) for choice in choices)
    return "".join((first, *(gettext(", else %(move)s") % {"move": other} for other in others)))


def planned_share(name: str, planned: int, turns: int, *, is_you: bool) -> str:
    """Return how many of their turns a player had planned."""
    values = {"name": name, "planned": planned, "turns": turns}
    if is_you:
        return gettext("You planned %(planned)d of your %(turns)d turns.") % values
    return gettext("%(name)s planned %(planned)d of %(turns)d turns.") % values


def condition_lines(choice: PlannedMove) -> tuple[str, ...]:
    """Return on what a planned move hangs, a line each."""
    free = ngettext("only if %(cells)s is still free", "only if %(cells)s are still free", len(choice.free))
    corners = gettext("stop the plan if another player covers %(cells)s")
    return (
        *([free % {"cells": sentences.listed(choice.free)}] if choice.free else []),
        *([corners % {"cells": sentences.listed(choice.corners)}] if choice.corners else []),
        *map(_other_line, choice.others),
    )


def _other_line(other: OtherMove) -> str:
    line = (
        gettext("only if %(colour)s has placed %(move)s")
        if other.is_made
        else gettext("only if %(colour)s has not placed %(move)s")
    )
    return line % {"colour": sentences.colour(other.colour), "move": move_called(other.move)}


def stop_lines(obstacles: Sequence[Obstacle]) -> tuple[str, ...]:
    """Return why a plan has stopped, each reason once."""
    return tuple(dict.fromkeys(map(_stop_line, obstacles)))


def _stop_line(obstacle: Obstacle) -> str:
    values = {
        "cells": sentences.listed(obstacle.cells),
        "colour": sentences.colour(obstacle.colour),
        "move": move_called(obstacle.move),
    }
    if obstacle.code == plans.COVERED:
        line = ngettext(
            "%(cells)s was covered by %(colour)s.", "%(cells)s were covered by %(colour)s.", len(obstacle.cells)
        )
        return line % values
    if obstacle.code in STOPS:
        return str(STOPS[obstacle.code]) % values
    return sentences.reason(obstacle.code, obstacle.cells)
