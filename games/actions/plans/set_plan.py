"""Plan one's next turns, which the site then plays when they begin."""

from collections.abc import Sequence

from django.db import transaction

from games.base import access, positions
from games.base.plans import PlannedTurn, TurnPlan
from games.errors import WrongStatus
from games.models import Game
from games.table import moves, planning


@transaction.atomic
def set_plan(
    user: access.Viewer, slug: str, turns: Sequence[PlannedTurn], *, number: int, edition: int
) -> tuple[Game, TurnPlan]:
    """Keep what a player plans for their next turns, in place of the edition that they have seen; nothing clears it.

    Its window begins now. `number` is that of the move which the page showed to be due: who has come to their turn
    meanwhile is to look first. What is planned during one's own turn is for those after it. The same request again
    changes nothing, and nothing tells others that there is a plan. Five queries.

    Raises:
        StaleGame: another move is due, and it is the player's own.
        WrongStatus: the plan has another edition (`plan-changed`), the game is not running, or is on one device.
        NotFound, NotSeated, BadRequest, Refused: nothing has changed.

    """
    game, player = access.game_to_pause(user, slug)
    moves.check_running(game)
    planning.check_own_device(game)
    if game.turn_seat == player.seat:
        moves.check_due(game, number)
    kept = TurnPlan.from_data(player.plan)
    plan = planning.read_plan(game, player, positions.position_of(game, moves.load_moves(game)), turns)
    if kept.edition == edition + 1 and kept.turns == plan.turns and kept.stopped is None:
        return game, kept
    if kept.edition != edition:
        raise WrongStatus(planning.CHANGED, code="plan-changed")
    plan = plan.edited(edition + 1)
    planning.keep_plan(player, plan)
    return game, plan
