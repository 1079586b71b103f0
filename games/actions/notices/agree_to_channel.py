"""Agree that a game is posted to the channel that another player has set."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base import access
from games.errors import WrongStatus
from games.models import GameChannel
from games.table import changes

ANOTHER_CHANNEL = _("The channel has changed since. Look at it again.")


@transaction.atomic
def agree_to_channel(user: User, slug: str, *, channel: int, now: datetime) -> None:
    """Agree to what a game's channel is to be posted; agreeing twice is agreeing once. With the last yes it begins.

    `channel` is its number as the page showed it: who agrees to one address has agreed to no other.

    Raises:
        NotFound, NotSeated: the person neither sits at this table nor has opened it.
        WrongStatus: by now another channel is set, or none.

    """
    game = access.table_to_post(user, slug)
    asked = GameChannel.objects.filter(game=game, pk=channel).first()
    if asked is None:
        raise WrongStatus(ANOTHER_CHANNEL, code="chat-changed")
    if user.pk == asked.owner_id or user.pk in asked.agreed:
        return
    asked.agreed = [*asked.agreed, user.pk]
    asked.save(update_fields=["agreed"])
    changes.post_now(game, now)
    changes.tell_of_channel(game, now)
