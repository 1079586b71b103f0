"""Give up what one has planned."""

from django.db import transaction

from games.base import access
from games.base.plans import TurnPlan
from games.models import Game
from games.table import planning


@transaction.atomic
def clear_plan(user: access.Viewer, slug: str) -> tuple[Game, TurnPlan]:
    """Forget what a player has planned, whichever edition it is; without a plan nothing changes.

    Raises:
        NotFound, NotSeated: nothing has changed.

    """
    game = access.game_to_play(user, slug)
    player = access.own_seat(game, user)
    kept = TurnPlan.from_data(player.plan)
    if not kept.turns and kept.stopped is None:
        return game, kept
    plan = TurnPlan(edition=kept.edition + 1)
    planning.keep_plan(player, plan)
    return game, plan
