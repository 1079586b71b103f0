"""The board of the play page: its picture for this viewer, and the data that the viewer's colours look up."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from games.drawing import svg
from games.drawing.steps import RecentPiece, recent_pieces
from games.pages.board.board_data import Reach, position_data, script_json
from games.pages.board.moves import MoveView, told_since
from games.queries.play.players import near_side
from games.queries.play.since import Since
from games.queries.play.state import GameState
from games.rules import Position

#: In how many waves, at most, the winners' pieces ripple (static/board/end.css).
WAVES = 3


@dataclass(frozen=True)
class PlayBoard:
    """The picture of the board, what it says to a viewer who does not see it, and its data as JSON.

    `steps` are the moves since the viewer's last turn, drawn after the pieces of the picture; their own move is the
    first of them. `near` is how many quarters clockwise bring the viewer's own start to the near side, also once the
    game is over. `data` is empty for a viewer who has nothing to place. Once it is over, `won` are the winners' pieces,
    a path for each wave of the ripple that goes through them in the order of play.
    """

    picture: svg.BoardView
    steps: tuple[RecentPiece, ...]
    label: str
    near: int
    data: str
    won: tuple[str, ...]


def play_board(state: GameState, lines: Sequence[MoveView], since: Since) -> PlayBoard:
    """Return the board, with the corners of the colour to play where the viewer plays it."""
    position = state.position
    steps = _steps(position, since)
    reach = {colour: Reach.of(position, colour) for colour in state.hand}
    mine = reach.get(position.colour or "") if state.rights.is_my_turn else None
    corners_of, attach = (mine.colour, mine.attach) if mine else (None, None)
    return PlayBoard(
        picture=svg.board_view(position, corners_of, attach, apart=len(steps)),
        steps=steps,
        label=_label(position, lines, since),
        near=near_side(position.variant, next((seat.colours for seat in state.seats if seat.is_viewer), ())),
        data=script_json(position_data(position, reach)) if reach else "",
        won=_won(state) if state.is_over else (),
    )


def _won(state: GameState) -> tuple[str, ...]:
    colours = {colour for seat in state.seats if seat.is_winner for colour in seat.colours}
    paths = [piece.path for piece in svg.pieces_of(state.position) if piece.colour in colours]
    step = -(-len(paths) // WAVES) or 1
    return tuple("".join(paths[first : first + step]) for first in range(0, len(paths), step))


def _steps(position: Position, since: Since) -> tuple[RecentPiece, ...]:
    """Return the moves since the viewer's last turn and their own one before them, as far as they placed a piece."""
    recent = [move.number for move in (*filter(None, [since.mine]), *since.moves) if move.placement]
    placements = [turn.placement for turn in position.history if turn.placement is not None]
    pieces = svg.pieces_of(position)
    tail = len(pieces) - len(recent)
    drawn = zip(recent, placements[tail:], pieces[tail:], strict=True)
    return recent_pieces(position.variant, drawn, since.mine and since.mine.number)


def _label(position: Position, lines: Sequence[MoveView], since: Since) -> str:
    size = gettext("Board, %(width)d by %(height)d.") % {
        "width": position.variant.width,
        "height": position.variant.height,
    }
    if not lines:
        return size
    if len(since.moves) > 1:
        return size + " " + told_since(lines, since)
    last = lines[-1]
    return size + " " + gettext("Last move: %(who)s %(what)s.") % {"who": last.who, "what": last.what}
