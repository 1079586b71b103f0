"""What the page says to a player who has missed turns or has left: what became of the seat, and what can be done."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from django.utils.translation import gettext

from games.pages.board.table import PlayerView
from games.queries.play.moves import MoveRow
from games.queries.play.state import GameState
from games.values import Kind, Reason
from games.words import sentences
from games.words.happenings import absences


@dataclass(frozen=True)
class AbsenceView:
    """What became of the viewer's seat. One who `is_away` can come back; one who `has_left` for good cannot."""

    text: str
    is_away: bool = False
    has_left: bool = False


def absence_view(state: GameState, players: Sequence[PlayerView]) -> AbsenceView | None:
    """Return what there is to say of a running game to a viewer who left it, or for whom a bot has played."""
    me = next((player for player in players if player.is_you), None)
    if me is None or state.is_over:
        return None
    if me.is_retired:
        return AbsenceView(_left(state, me), has_left=True)
    taken = _taken_since(state.moves, me.seat)
    if not taken:
        return None
    played = absences.played_for_you(taken[0].bot, [(move.number, move.placement.partition(":")[0]) for move in taken])
    return AbsenceView(f"{_why(state.seats[me.seat].missed, is_away=me.is_away)} {played}", is_away=me.is_away)


def _taken_since(moves: Sequence[MoveRow], seat: int) -> list[MoveRow]:
    """Return the turns that a bot has taken for this player since the last one that they took themselves."""
    own = [move for move in moves if move.seat == seat and not move.is_automatic]
    return list(takewhile(lambda move: move.bot, reversed(own)))[::-1]


def _why(missed: int, *, is_away: bool) -> str:
    if is_away:
        return gettext("You missed two turns in a row, so a bot is playing for you.")
    if missed:
        return gettext("You ran out of time. If you miss your next turn too, a bot plays for you until you come back.")
    return gettext("You are back: you play your next turn yourself.")


def _left(state: GameState, me: PlayerView) -> str:
    move = next(move for move in reversed(state.moves) if move.kind == Kind.RETIRE and move.seat == me.seat)
    day = sentences.day(move.played_at) if move.played_at else ""
    if move.retired == Reason.OUT_OF_TIME:
        text = gettext("Your time ran out on %(day)s, at move %(number)d.")
    else:
        text = gettext("You resigned on %(day)s, at move %(number)d.")
    rest = gettext("Your pieces stay on the board and the other players finish the game. You can watch to the end.")
    return f"{text % {'day': day, 'number': move.number}} {rest}"
