"""Send the news of a game to a chat, or stop sending it."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base import access
from games.errors import BadRequest, NotSeated, WrongStatus
from games.models import Game, Status, Webhook
from games.models.notices.endpoint import is_endpoint
from games.table import changes
from games.table.posting.channels import NO_ENDPOINT

NO_CHAT = _("The news of a game with a child are posted to no chat.")


@transaction.atomic
def set_chat(user: User, slug: str, address: str, *, now: datetime) -> Webhook:
    """Have messages about a game posted to an address, in place of an earlier one, once all at the table agree.

    They are notified; those who have agreed to an earlier one are asked again.

    Raises:
        NotFound, NotSeated: the person neither sits at this table nor has opened it, or a child does (`child-table`).
        WrongStatus: the game is over.
        BadRequest: nothing is sent to such an address.

    """
    game = access.table_to_post(user, slug)
    if game.status not in (Status.OPEN, Status.RUNNING):
        raise WrongStatus(_("The game is over."), code="over")
    if game.is_sheltered:
        raise NotSeated(NO_CHAT, code="child-table")
    if not is_endpoint(address):
        raise BadRequest(NO_ENDPOINT, field="address")
    Webhook.objects.filter(game=game).delete()
    _note(game, is_posted=True)
    hook = Webhook.objects.create(game=game, owner=user, address=address, created_at=now)
    changes.tell_of_chat(game, now)
    changes.ask_about_chat(game, changes.people_at(game), now)
    return hook


@transaction.atomic
def remove_chat(user: User, slug: str, *, now: datetime) -> None:
    """Post nothing about a game: every player at the table may say so, before or later. Without a chat nothing changes.

    Raises:
        NotFound, NotSeated: the person neither sits at this table nor has opened it.

    """
    game = access.table_to_post(user, slug)
    if Webhook.objects.filter(game=game).delete()[0]:
        _note(game, is_posted=False)
        changes.tell_of_chat(game, now)


def _note(game: Game, *, is_posted: bool) -> None:
    game.is_posted = is_posted
    game.save(update_fields=["is_posted"])


@transaction.atomic
def forget_chats(user: User) -> None:
    """Post nothing any more to addresses that a person has set."""
    hooks = Webhook.objects.filter(owner=user)
    games = list(hooks.values_list("game_id", flat=True))
    if games:
        Game.objects.filter(pk__in=games).update(is_posted=False)
        hooks.delete()
