"""What a player has planned in a game, for that player alone."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.base.access import Viewer, seat_of
from games.base.plans import PlannedTurn, PlanPlay, PlanStep, PlanStop, TurnPlan, planned_step
from games.models import Game, Player
from games.queries.play.moves import MoveRow
from games.queries.tables.turns import next_number
from games.rules import Position


@dataclass(frozen=True)
class PlanState:
    """A player's plan, and what it says of the game as it is now; without turns where none is set.

    What stops it is known as soon as it has happened, before the site has come to that turn.
    """

    edition: int
    number: int
    turns: tuple[PlannedTurn, ...]
    stop: PlanStop | None
    is_playing: bool

    @property
    def is_waiting(self) -> bool:
        """Whether it goes on."""
        return bool(self.turns) and self.stop is None


def plan_mark(edition: int) -> str:
    """Return what differs between two plans of which pages say other things."""
    return f"p{edition}" if edition else ""


def edition_of(game: Game, user: Viewer) -> int:
    """Return the edition of the viewer's plan, 0 for none. No query."""
    me = seat_of(game, user)
    return TurnPlan.from_data(me.plan).edition if me is not None else 0


def plan_state(game: Game, me: Player | None, position: Position, moves: Sequence[MoveRow]) -> PlanState | None:
    """Return what the viewer has planned; None for those who do not sit there. No query."""
    if me is None:
        return None
    plan = TurnPlan.from_data(me.plan)
    step: PlanStep = None
    if game.turn_seat is not None and not me.retired:
        step = planned_step(plan, position, moves, me.seat, game.spent_numbers)
    stop = plan.stopped or (step if isinstance(step, PlanStop) else None)
    turns = plan.turns if game.turn_seat is not None and not me.retired else ()
    is_playing = isinstance(step, PlanPlay) and not game.is_paused
    return PlanState(plan.edition, next_number(game), turns, stop, is_playing)
