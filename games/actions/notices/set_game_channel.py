"""Post the news of a game to a channel, or stop it."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base import access
from games.errors import BadRequest, NotSeated, WrongStatus
from games.models import Game, GameChannel, Status
from games.models.notices.endpoint import is_endpoint
from games.table import changes
from games.table.notices.channels import NO_ENDPOINT

NOT_POSTED = _("The news of a game with a child are posted to no channel.")


@transaction.atomic
def set_game_channel(user: User, slug: str, address: str, *, now: datetime) -> GameChannel:
    """Post messages about a game to an address, in place of an earlier one, once all at the table agree.

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
        raise NotSeated(NOT_POSTED, code="child-table")
    if not is_endpoint(address):
        raise BadRequest(NO_ENDPOINT, field="address")
    GameChannel.objects.filter(game=game).delete()
    _note(game, is_posted=True)
    channel = GameChannel.objects.create(game=game, owner=user, address=address, created_at=now)
    changes.tell_of_channel(game, now)
    changes.ask_about_channel(game, changes.people_at(game), now)
    return channel


@transaction.atomic
def remove_game_channel(user: User, slug: str, *, now: datetime) -> None:
    """Post nothing about a game: every player at the table may say so, before or later. Without a channel
    nothing changes.

    Raises:
        NotFound, NotSeated: the person neither sits at this table nor has opened it.

    """
    game = access.table_to_post(user, slug)
    if GameChannel.objects.filter(game=game).delete()[0]:
        _note(game, is_posted=False)
        changes.tell_of_channel(game, now)


def _note(game: Game, *, is_posted: bool) -> None:
    game.is_posted = is_posted
    game.save(update_fields=["is_posted"])


@transaction.atomic
def forget_game_channels(user: User) -> None:
    """Post nothing any more to addresses that a person has set."""
    channels = GameChannel.objects.filter(owner=user)
    games = list(channels.values_list("game_id", flat=True))
    if games:
        Game.objects.filter(pk__in=games).update(is_posted=False)
        channels.delete()
