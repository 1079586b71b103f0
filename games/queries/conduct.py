"""What whoever opened a table of bots may have them do."""

from dataclasses import dataclass

from games import access
from games.models import Game, Status
from games.queries.look import Look
from games.queries.turns import next_number


@dataclass(frozen=True)
class ConductView:
    """Whether the bots wait, the number of the move that is due, and whether it has just been asked for."""

    is_paused: bool
    number: int
    is_asked: bool


def conduct_view(game: Game, user: access.Viewer, look: Look) -> ConductView | None:
    """Return what this person may do about a running game of bots; None for everybody else and in other games."""
    if game.status != Status.RUNNING or not access.conducts(user, game):
        return None
    number = next_number(game)
    is_asked = game.is_paused and (look.step, look.since) == (number, game.version)
    return ConductView(game.is_paused, number, is_asked)
