"""Which moves a viewer has not answered yet: what happened since their last turn."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.models import Kind
from games.queries.play.moves import MoveRow
from games.queries.play.state import GameState


@dataclass(frozen=True)
class Since:
    """The moves since the viewer's last turn, the oldest first.

    `mine` is the viewer's own last move, where it was a placement. A viewer without turns of their own, or whose last
    turn was passed for them, gets the last round: the moves since the same colour's move before; `is_round` says so.
    """

    moves: tuple[MoveRow, ...]
    mine: MoveRow | None
    is_round: bool

    @property
    def before(self) -> int:
        """Return after how many moves of the game these begin."""
        return self.moves[0].number - 1 if self.moves else 0


def moves_since(state: GameState) -> Since:
    """Return what happened since the viewer's last turn. No query."""
    moves = [move for move in state.moves if not move.is_given]
    seat = next((seat.seat for seat in state.seats if seat.is_viewer and not seat.retired), None)
    # What a bot has placed for the viewer while they were absent is news to them too.
    own = next((at for at in range(len(moves) - 1, -1, -1) if moves[at].seat == seat and not moves[at].bot), None)
    if seat is None or (own is not None and moves[own].is_automatic):
        return Since(_round(moves), None, is_round=True)
    if own is None:
        return Since(tuple(moves), None, is_round=False)
    mine = moves[own] if moves[own].kind == Kind.PLACE else None
    return Since(tuple(moves[own + 1 :]), mine, is_round=False)


def _round(moves: Sequence[MoveRow]) -> tuple[MoveRow, ...]:
    colour = next((move.colour for move in reversed(moves) if move.colour), "")
    turns = [at for at, move in enumerate(moves) if move.colour == colour]
    return tuple(moves[turns[-2] + 1 if len(turns) > 1 else 0 :])
