"""What happened since the viewer's last turn, to be seen again: a button, without scripts a link to a page of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.utils.translation import ngettext, npgettext

from games.pages.board.moves import MoveView, listed_since
from games.queries.play.since import Since
from games.queries.play.state import GameState

#: After so long without a move of theirs a player is offered what has happened meanwhile.
LONG_AWAY = timedelta(hours=20)
#: After such days they are shown it before the board.
DAYS_AWAY = timedelta(days=2)


@dataclass(frozen=True)
class RecentView:
    """How many moves there are to see again, what the button says, what they were, and the page that tells them.

    `word` stands below the number on the button: "moves". `offer` is there for a player who is to move and has not for
    long: a sentence that leads to that page. For a player who has not moved for days that page comes before the board,
    once: `own` is the number of their own last move then, None where it does not.
    """

    count: int
    word: str
    label: str
    told: str
    address: str
    offer: str
    own: int | None


def recent_view(since: Since, lines: Sequence[MoveView], address: str, state: GameState) -> RecentView | None:
    """Return what there is to see again, None where nothing has happened since the viewer's last turn.

    At the address it is told, move by move.
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
        address=address,
        offer=_offer(since, state, count),
        own=since.mine.number if since.mine and _comes_first(since, state) else None,
    )


def _comes_first(since: Since, state: GameState) -> bool:
    """Return whether it is shown before the board: the game goes on, and its player was away for days.

    Whose opponent took days for a single move, and has only just made it, was not away but waited.
    """
    last, first = since.mine.played_at if since.mine else None, since.moves[0].played_at
    if not state.rights.is_playing or state.is_over or last is None or first is None:
        return False
    is_answered_now = len(since.moves) == 1 and state.now - first < LONG_AWAY
    return state.now - last >= DAYS_AWAY and not is_answered_now


def _offer(since: Since, state: GameState, count: int) -> str:
    """Return what a player reads who comes back to a game after long, empty for all others."""
    last = since.mine.played_at if since.mine else None
    if not state.rights.is_my_turn or last is None or state.now - last < LONG_AWAY:
        return ""
    return ngettext("While you were away: %(n)d move", "While you were away: %(n)d moves", count) % {"n": count}
