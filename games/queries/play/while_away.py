"""What others have done to a viewer's corners since the viewer's last turn, by the rules alone."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from games.models import Kind
from games.queries.play.moves import MoveRow
from games.queries.play.since import moves_since
from games.queries.play.state import GameState
from games.rules import Position
from games.rules.notation import format_cell


@dataclass(frozen=True)
class AwayStep:
    """A move since the viewer's last turn, and the cells from which their colours could go on until then."""

    move: MoveRow
    closed: tuple[str, ...]


@dataclass(frozen=True)
class WhileAway:
    """What has happened since the viewer's last turn, the oldest first, and from which cells they can go on now.

    `before` is after how many moves of the game it begins, `last_turn` when the viewer's last turn was, None before
    the first. Cells are named as records name them; there are none where the table allows no hints, and none for those
    who only look.
    """

    before: int
    last_turn: datetime | None
    steps: tuple[AwayStep, ...]
    open: tuple[str, ...]


def while_away(state: GameState, stages: Sequence[Position]) -> WhileAway:
    """Return what has happened since the viewer's last turn; `stages` are all positions of the game. No query.

    Rule: R3, R4
    """
    since = moves_since(state)
    hand = state.hand if state.game.allows_hints else ()
    corners = [_corners(stage, hand) for stage in (stages[since.before :] if since.moves else ())]
    closed = [sorted(before - after) for before, after in pairwise(corners)]
    return WhileAway(
        before=since.before if since.moves else len(state.moves),
        last_turn=since.mine.played_at if since.mine else None,
        steps=tuple(
            AwayStep(move, _named(state.position, cells if move.kind == Kind.PLACE else ()))
            for move, cells in zip(since.moves, closed, strict=True)
        ),
        open=_named(state.position, sorted(_corners(state.position, hand))),
    )


def _corners(position: Position, colours: Collection[str]) -> frozenset[int]:
    """Return the cells from which colours that can still place a piece may go on."""
    return frozenset(
        cell for colour in colours if position.has_legal(colour) for cell in position.attach_points(colour)
    )


def _named(position: Position, cells: Collection[int]) -> tuple[str, ...]:
    points = position.variant.grid.points
    return tuple(format_cell(points[cell]) for cell in cells)
