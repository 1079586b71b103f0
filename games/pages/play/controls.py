"""The controls of a game of bots, for the person who opened it: pause, resume, step."""

from dataclasses import dataclass

from games.pages.board.view_request import ViewRequest
from games.queries.play.state import GameState


@dataclass(frozen=True)
class ControlsView:
    """Whether the bots wait and since which version, the number of the due move, and whether it has been asked for."""

    is_paused: bool
    pause_version: int
    number: int
    is_asked: bool


def controls_view(state: GameState, view_request: ViewRequest) -> ControlsView | None:
    """Return the controls of a running game of bots; None for a viewer who may not use them, and in other games."""
    if not state.rights.can_control:
        return None
    game = state.game
    is_asked = game.is_paused and (view_request.step, view_request.pause) == (game.number, game.pause_version)
    return ControlsView(game.is_paused, game.pause_version, game.number, is_asked)
