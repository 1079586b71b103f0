"""Agree that a game is posted to the chat that another player has set."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base import access
from games.errors import WrongStatus
from games.models import Webhook
from games.table import changes

ANOTHER_CHAT = _("The chat has changed since. Look at it again.")


@transaction.atomic
def agree_to_chat(user: User, slug: str, *, chat: int, now: datetime) -> None:
    """Agree to what a game's chat is to be posted; agreeing twice is agreeing once. With the last yes it begins.

    `chat` is its number as the page showed it: who agrees to one address has agreed to no other.

    Raises:
        NotFound, NotSeated: the person neither sits at this table nor has opened it.
        WrongStatus: by now another chat is set, or none.

    """
    game = access.table_to_post(user, slug)
    hook = Webhook.objects.filter(game=game, pk=chat).first()
    if hook is None:
        raise WrongStatus(ANOTHER_CHAT, code="chat-changed")
    if user.pk == hook.owner_id or user.pk in hook.agreed:
        return
    hook.agreed = [*hook.agreed, user.pk]
    hook.save(update_fields=["agreed"])
    changes.post_now(game, now)
    changes.tell_of_chat(game, now)
