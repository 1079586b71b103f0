"""What happened since the viewer's last turn, to be seen again: a button, and without scripts a link to the replay."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import ngettext, npgettext

from games.pages.board.moves import MoveView, listed_since
from games.queries.play.since import Since


@dataclass(frozen=True)
class RecentView:
    """How many moves there are to see again, what the button says, what they were, and the replay just before them.

    `word` stands below the number on the button: "moves".
    """

    count: int
    word: str
    label: str
    told: str
    address: str


def recent_view(since: Since, lines: Sequence[MoveView], replay: str) -> RecentView | None:
    """Return what there is to see again, None where nothing has happened since the viewer's last turn.

    A number put behind the address `replay` shows the game after that move.
    """
    count = len(since.moves)
    if not count:
        return None
    if since.is_round:
        label = ngettext("%(n)d move in the last round", "%(n)d moves in the last round", count)
    else:
        label = ngettext("%(n)d move since your last turn", "%(n)d moves since your last turn", count)
    return RecentView(
        count=count,
        word=npgettext("below their number", "move", "moves", count),
        label=label % {"n": count},
        told=listed_since(lines, since),
        address=f"{replay}{since.before}",
    )
