"""What a game's page says of days that were given for the turn, and the one that the viewer may give."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from games.pages.board.table import PlayerView
from games.queries.play.state import GameState, TurnState
from games.words.happenings import gifts


@dataclass(frozen=True)
class GivenView:
    """`lines` say who has given a day for this turn, and how much of it is holidays.

    `to` is who would get a day from the viewer, empty for no one.
    """

    lines: tuple[str, ...]
    to: str


def given_view(state: GameState, players: Sequence[PlayerView]) -> GivenView:
    """Return which days were given for the turn that is due, and whether the viewer may give one."""
    turn = state.turn
    if turn is None:
        return GivenView((), "")
    lines = _holiday_lines(state, turn, players) + tuple(
        gifts.day_line(_called(players, day.giver), _called(players, day.seat)) for day in turn.days
    )
    return GivenView(lines, players[turn.seat].name if state.rights.can_give_day else "")


def _holiday_lines(state: GameState, turn: TurnState, players: Sequence[PlayerView]) -> tuple[str, ...]:
    """Return how much of the holidays of the player to move lies in this turn: of those that begin before its end.

    A turn without a limit has no end; what has begun lies in it.
    """
    since, until = turn.since or state.now, turn.deadline or state.now
    known = [one for one in state.known_holidays if one.seat == turn.seat and one.begins_at < until]
    own = [(max(one.begins_at, since), one.ends_at) for one in known]
    taken = sum((ends - begins for begins, ends in own if ends > begins), timedelta())
    return (gifts.holiday_line(_called(players, turn.seat), int(taken.total_seconds())),) if taken else ()


def _called(players: Sequence[PlayerView], seat: int) -> str:
    return "" if players[seat].is_you else players[seat].name
