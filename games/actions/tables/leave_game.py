"""Leave a table before the start."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.base import access
from games.errors import NotSeated
from games.models import Game
from games.table import seats, seeking


@transaction.atomic
def leave_game(user: access.Viewer, slug: str) -> Game:
    """Empty the user's seat; without one, the user has left already.

    Raises:
        NotSeated: the user opened the table (`creator-cancels`).
        NotFound, WrongStatus: nothing has changed.

    """
    game = access.game_to_change(user, slug)
    player = access.seat_of(game, user)
    if player is None:
        return game
    seats.check_open(game)
    person = player.user_id or 0
    if game.creator_id == user.pk:
        raise NotSeated(_("You opened this table. Cancel it instead."), code="creator-cancels")
    now = timezone.now()
    seats.vacate(game, player, now)
    seeking.rest_seeks(person, game, now)
    return game
