"""Say no to an invitation."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.base import access
from games.errors import NotSeated
from games.models import Game
from games.table import seats


@transaction.atomic
def decline_invitation(user: access.Viewer, slug: str) -> Game:
    """Open the seat that was kept for the user to everybody.

    Raises:
        NotSeated: the user is not invited (`not-invited`), or opened the table (`creator-cancels`).
        NotFound, WrongStatus: nothing has changed.

    """
    game = access.game_to_change(user, slug)
    seats.check_open(game)
    invited = [player for player in game.players.all() if player.invitee_id == user.pk and player.user_id is None]
    if not invited or user.pk is None:
        raise NotSeated(_("You have no invitation to this table."), code="not-invited")
    if game.creator_id == user.pk:
        raise NotSeated(_("You opened this table. Cancel it instead."), code="creator-cancels")
    seats.vacate(game, invited[0], timezone.now())
    return game
