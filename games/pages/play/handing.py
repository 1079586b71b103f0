"""What a page shows while a device is handed on: whose turn it is, and nobody's hand."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from games.pages.board.faces import Face, face
from games.pages.board.view_request import ViewRequest
from games.queries.play.state import GameState
from games.values import Kind
from games.words import names, sentences


@dataclass(frozen=True)
class HandingView:
    """Who is to take the device, and the colours that they play.

    `last_move` says what was placed last, empty before the first placement; `undo_name` says who may still take
    it back, empty where nobody may. `is_waiting` says that a bot is to play first.
    """

    name: str
    face: Face
    colours: tuple[str, ...]
    plays: str
    last_move: str
    undo_name: str
    is_waiting: bool

    @property
    def title(self) -> str:
        """Return what is to be done."""
        return gettext("Pass the device to %(name)s") % {"name": self.name}

    @property
    def announcement(self) -> str:
        """Return what is said aloud."""
        return f"{self.last_move} {self.title}.".lstrip()


def handing_view(state: GameState, view_request: ViewRequest) -> HandingView | None:
    """Return what is shown until the next player at this device has taken it; None once they have."""
    handing = state.handing
    if handing is None or handing.number <= view_request.hand <= state.game.number:
        return None
    called = names.seat_names(seat.occupant for seat in state.seats)
    seat = state.seats[handing.seat]
    colours = sentences.listed([sentences.colour(colour) for colour in seat.colours])
    return HandingView(
        name=called[seat.seat],
        face=face(seat.occupant),
        colours=seat.colours,
        plays=gettext("%(name)s plays %(colours)s.") % {"name": called[seat.seat], "colours": colours},
        last_move=_last_move(state, called),
        undo_name=called[state.moves[state.takeback.back_to - 1].seat] if state.takeback.can_ask else "",
        is_waiting=state.thinking_seat is not None,
    )


def _last_move(state: GameState, called: Sequence[str]) -> str:
    move = next((move for move in reversed(state.moves) if move.kind == Kind.PLACE), None)
    if move is None:
        return ""
    piece = sentences.piece_called(move.placement.partition(":")[0])
    return gettext("%(name)s placed %(pieces)s.") % {"name": called[move.seat], "pieces": piece}
