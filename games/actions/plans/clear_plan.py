"""Give up what one has planned."""

from django.db import transaction

from games.base import access
from games.base.plans import TurnPlan
from games.errors import WrongStatus
from games.models import Game
from games.table import planning


@transaction.atomic
def clear_plan(user: access.Viewer, slug: str, *, edition: int | None = None) -> tuple[Game, TurnPlan]:
    """Forget what a player has planned, by default whichever edition it is; without a plan nothing changes.

    Raises:
        NotFound, NotSeated: nothing has changed.
        WrongStatus: it has another edition than the one that was asked for (`plan-changed`).

    """
    game = access.game_to_play(user, slug)
    player = access.own_seat(game, user)
    kept = TurnPlan.from_data(player.plan)
    if not kept.turns and kept.stopped is None:
        return game, kept
    if edition is not None and kept.edition != edition:
        raise WrongStatus(planning.CHANGED, code="plan-changed")
    plan = TurnPlan(edition=kept.edition + 1)
    planning.keep_plan(player, plan)
    return game, plan
