"""The named openings in words: what each is about, its pieces in order, the boards it belongs to."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.lines.entries import Line
from games.words.boards import board_key, board_name, boards
from games.words.sentences import listed

#: What is to be known of an opening, by its key: from its sources, in our words.
ABOUT: Mapping[str, str | Promise] = {
    "barasona": _(
        "Jeff Barasona gave it his name. It goes straight for the middle, and its pieces leave gaps of one cell, "
        "through which only the one-cell piece passes."
    ),
    "fxwy": _("It begins as the Barasona opening. Y as the fourth piece comes one cell nearer to the middle than N."),
    "pxwf": _("A relative of the Barasona opening that begins with P. It stays one cell further from the middle."),
    "yxwn": _(
        "A relative of the Barasona opening that begins with Y, so Y is no longer there to reach for the middle."
    ),
    "fw": _("F covers the start cell, and W goes on from one of its corners. It is popular with beginners."),
    "xf": _("X covers the start cell, and F goes on from one of its corners. It is said to be hard to play against."),
    "fy": _(
        "F covers the start cell, and Y goes on from one of its corners. It is strong against players who do not know "
        "the reply."
    ),
}


def pieces_line(line: Line) -> str:
    """Return the pieces in order: "F, then X and W in either order, then N"."""
    first, *others = map(_group, line.groups)
    for group in others:
        first = gettext("%(before)s, then %(next)s") % {"before": first, "next": group}
    return first


def _group(pieces: tuple[str, ...]) -> str:
    return gettext("%(pieces)s in either order") % {"pieces": listed(pieces)} if len(pieces) > 1 else pieces[0]


def boards_line(line: Line) -> str:
    """Return the names of the boards that an opening belongs to; it belongs to every number of players of each."""
    keys = dict.fromkeys(map(board_key, line.boards))
    return listed([board_name(key) for key in boards() if key in keys])
