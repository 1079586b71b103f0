"""Remove a player from a table before the start."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games.base import access
from games.errors import BadRequest, NotSeated
from games.models import Game, RemovalReason
from games.table import moves, seats


@transaction.atomic
def remove_player(
    user: access.Viewer, slug: str, *, seat: int | None, reason: str = "", now: datetime | None = None
) -> Game:
    """Empty a seat of the user's open table, of a person who sits there or is invited, or of a bot.

    The person is given the reason, and does not sit down again but by another invitation. An empty seat stays empty.

    Raises:
        BadRequest: there is no such seat, or no such reason.
        NotSeated: it is the user's own seat, or kept for them.
        NotFound, WrongStatus: nothing has changed.

    """
    game = access.game_to_change(user, slug)
    access.check_creator(game, user)
    seats.check_open(game)
    player = seats.seat_numbered(game, seat)
    if user.pk in (player.user_id, player.invitee_id):
        raise NotSeated(_("You opened this table. Cancel it instead."), code="creator-cancels")
    if reason not in ("", *RemovalReason.values):
        raise BadRequest(_("Choose a reason from the list."), field="reason")
    if player.user_id or player.invitee_id or player.bot:
        seats.clear_seat(game, player, RemovalReason(reason or RemovalReason.OTHER), moves.moment(now))
    return game
