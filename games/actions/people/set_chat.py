"""Send the news of a game to a chat, or stop sending it."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base import access
from games.errors import BadRequest, NotSeated, WrongStatus
from games.models import Game, Status, Webhook
from games.models.endpoint import is_endpoint

NO_ENDPOINT = _("This is not the address of a webhook. Copy it from your chat: it begins with https://.")
NO_MEMBER = _("Only the players at this table can do that.")


@transaction.atomic
def set_chat(user: User, slug: str, address: str, *, now: datetime) -> Webhook:
    """Have messages about a game posted to an address from now on, in place of an earlier one.

    Raises:
        NotFound, NotSeated: the person neither sits at this table nor has opened it.
        WrongStatus: the game is over.
        BadRequest: nothing is sent to such an address.

    """
    game = _table_of(user, slug)
    if game.status not in (Status.OPEN, Status.RUNNING):
        raise WrongStatus(_("The game is over."), code="over")
    if not is_endpoint(address):
        raise BadRequest(NO_ENDPOINT, field="address")
    Webhook.objects.filter(game=game).delete()
    _note(game, is_posted=True)
    return Webhook.objects.create(game=game, owner=user, address=address, created_at=now)


@transaction.atomic
def remove_chat(user: User, slug: str) -> None:
    """Post nothing about a game any more: every player at the table may end it. Without a webhook nothing changes.

    Raises:
        NotFound, NotSeated: the person neither sits at this table nor has opened it.

    """
    game = _table_of(user, slug)
    Webhook.objects.filter(game=game).delete()
    _note(game, is_posted=False)


def _table_of(user: User, slug: str) -> Game:
    game = access.game_to_change(user, slug)
    if not access.is_member(user, game):
        raise NotSeated(NO_MEMBER)
    return game


def _note(game: Game, *, is_posted: bool) -> None:
    Game.objects.filter(pk=game.pk).update(is_posted=is_posted)


@transaction.atomic
def forget_chats(user: User) -> None:
    """Post nothing any more to addresses that a person has set."""
    hooks = Webhook.objects.filter(owner=user)
    Game.objects.filter(pk__in=list(hooks.values_list("game_id", flat=True))).update(is_posted=False)
    hooks.delete()
