"""What others have done since a player's last turn, in sentences."""

from collections.abc import Sequence

from django.utils.translation import gettext, ngettext

from games.words import sentences

#: So many cells are named; of more it is said how many there are.
CELLS_NAMED = 5


def step_line(deed: str, closed: Sequence[str]) -> str:
    """Return what a player did, and which of the reader's corners are closed since: "Bob placed F at e5 ..."."""
    if not closed:
        return gettext("%(what)s.") % {"what": deed}
    text = ngettext(
        "%(what)s and closed your corner at %(cells)s.",
        "%(what)s and closed your corners at %(cells)s.",
        len(closed),
    )
    return text % {"what": deed, "cells": cells_text(closed)}


def open_line(cells: Sequence[str]) -> str:
    """Return from which corners the reader's colours can go on."""
    if not cells:
        return gettext("None of your corners is open any more.")
    return gettext("You can still reach %(cells)s.") % {"cells": cells_text(cells)}


def cells_text(cells: Sequence[str]) -> str:
    """Return the names of some cells, and how many more there are."""
    if len(cells) <= CELLS_NAMED:
        return sentences.listed(cells)
    rest = len(cells) - CELLS_NAMED
    more = ngettext("%(n)d more", "%(n)d more", rest) % {"n": rest}
    return sentences.listed([*cells[:CELLS_NAMED], more])
