"""Play again after a bot has taken one's turns."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games.base import access
from games.errors import NotSeated
from games.table import lifecycle, moves
from games.table.lifecycle import Outcome


@transaction.atomic
def come_back(user: access.Viewer, slug: str, *, now: datetime | None = None) -> Outcome:
    """Give the user, who was away, their turns back; for a user who is not away nothing changes.

    A turn of theirs that the bot still thinks about is theirs, with the time of a first turn.

    Raises:
        NotFound, NotSeated, WrongStatus: nothing has changed.

    """
    game = access.game_to_play(user, slug)
    player = access.own_seat(game, user)
    moves.check_running(game)
    if player.retired:
        raise NotSeated(_("You are no longer playing in this game."), code="retired")
    if not player.is_away:
        return Outcome(game, game.move_count, game.version, is_repeat=True)
    return lifecycle.bring_back(game, moves.load_moves(game), player, moves.moment(now))
