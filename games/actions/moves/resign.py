"""Give up a seat in a running game."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games.base import access
from games.errors import BadRequest
from games.models import Kind, Reason
from games.table import lifecycle, moves
from games.table.lifecycle import Outcome


@transaction.atomic
def resign(
    user: access.Viewer, slug: str, *, number: int | None = None, key: str = "", now: datetime | None = None
) -> Outcome:
    """Retire the user's seat, on any turn; resigning twice is resigning once.

    The number of the move that is due is compared only where one is given: a player who gives up may not care what has
    happened meanwhile. At one device it has to be: it says who gives up.

    Raises:
        NotFound, NotSeated, BadRequest, WrongStatus, StaleGame: nothing has changed.

    Rule: R12

    """
    if key:
        moves.check_key(key, user)
    game = access.game_to_play(user, slug)
    if game.is_on_one_device and number is None:
        # A second tap would give up for the next player.
        raise BadRequest(_("This page sent an incomplete request. Reload it and try again."), field="number")
    player = access.own_seat(game, user)
    played = moves.load_moves(game)
    known = moves.answered(game, played, key, Kind.RETIRE, player.seat, "", Reason.RESIGNED)
    known = known or moves.retired_before(game, played, player)
    if known:
        return known
    if number is not None:
        moves.check_due(game, number)
    moves.check_running(game)
    return lifecycle.retire(game, played, player, Reason.RESIGNED, key, moves.moment(now))
