"""What a game's page says of days that were given for the turn, and the one that the viewer may give."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.pages.board.table import PlayerView
from games.queries.play.state import GameState
from games.words import gifts


@dataclass(frozen=True)
class GivenView:
    """`lines` say who has given a day for this turn; `to` is who would get one from the viewer, empty for no one."""

    lines: tuple[str, ...]
    to: str


def given_view(state: GameState, players: Sequence[PlayerView]) -> GivenView:
    """Return which days were given for the turn that is due, and whether the viewer may give one."""
    turn = state.turn
    if turn is None:
        return GivenView((), "")
    lines = tuple(gifts.day_line(_called(players, day.giver), _called(players, day.seat)) for day in turn.days)
    return GivenView(lines, players[turn.seat].name if state.rights.can_give_day else "")


def _called(players: Sequence[PlayerView], seat: int) -> str:
    """Return what a player is called, empty for the viewer."""
    return "" if players[seat].is_you else players[seat].name
