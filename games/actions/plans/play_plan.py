"""Play what a player has planned for the turn that has begun."""

from datetime import datetime

from django.db import transaction

from games.base import access, positions
from games.base.plans import PLAN_KEY, SUSPENDED, Obstacle, PlanPlay, PlanStop, TurnPlan, planned_step
from games.models import Kind, Move, Status
from games.queries.tables.turns import next_number
from games.rules import record
from games.table import lifecycle, moves, planning
from games.table.lifecycle import Outcome


@transaction.atomic
def play_plan(slug: str, *, number: int, now: datetime | None = None) -> Outcome | None:
    """Make the planned move of that number, or stop the plan; None if there is nothing to do (any more).

    The site does so, for a person who need not be there: the move is theirs, whatever a bot would do for them, and in
    time as any move is that comes before its turn was ended. In one transaction the move is recorded and taken off the
    plan, so that it is made once however often this is called.

    Raises:
        NotFound: there is no such game.

    """
    game = access.game_to_close(slug)
    if game.is_paused or game.status != Status.RUNNING or next_number(game) != number:
        return None
    player = next(player for player in game.players.all() if player.seat == game.turn_seat)
    plan, person = TurnPlan.from_data(player.plan), player.user
    if person is None or not plan.is_for(game.turn_colour, number):
        return None
    if person.is_suspended:
        planning.keep_plan(player, plan.stop(PlanStop(number, (Obstacle(SUSPENDED),))))
        return None
    played = moves.load_moves(game)
    step = planned_step(plan, positions.position_of(game, played), played, player.seat, game.spent_numbers)
    if not isinstance(step, PlanPlay):
        if step is not None:
            planning.keep_plan(player, plan.stop(step))
        return None
    planning.keep_plan(player, plan.after(step.turn, number))
    is_pass = step.move == record.PASSED
    move = Move(
        kind=Kind.PASS if is_pass else Kind.PLACE,
        seat=player.seat,
        colour=game.turn_colour,
        placement="" if is_pass else step.move,
        client_key=f"{PLAN_KEY}{number}",
    )
    return lifecycle.play(game, played, move, moves.moment(now))
