"""What a table's players see of its channel: the address is a secret, so only a part of it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils import timezone

from accounts.models import User
from games.queries.notices.channels import game_channel_of
from games.table.changes import people_at
from games.values import Status
from games.words.moments import When, when

if TYPE_CHECKING:
    from games.models import Game


@dataclass(frozen=True)
class GameChannelPage:
    """`address` is the part that is shown, empty without a channel; `answer` the status of the last try, 0 for none.

    `is_of_group` says that it is the channel of the table's group. `waits_for` names those who have yet to agree, and
    `is_asked` says that the viewer is one of them; `channel` is the number that they agree to.
    """

    slug: str
    is_public: bool
    is_of_group: bool
    can_set: bool
    address: str = ""
    owner: str = ""
    answer: int = 0
    is_taken: bool = False
    answered: When | None = None
    is_stopped: bool = False
    channel: int = 0
    is_asked: bool = False
    waits_for: str = ""


def game_channel_page(game: "Game", user: User) -> GameChannelPage:
    """Return the page of a table's channel for one of its players. At most two queries."""
    channel = game_channel_of(game.pk)
    can_set = game.status in (Status.OPEN, Status.RUNNING)
    if channel is None:
        return GameChannelPage(game.slug, game.is_public, False, can_set)
    waiting = channel.waits_for(people_at(game))
    return GameChannelPage(
        slug=game.slug,
        is_public=game.is_public,
        is_of_group=channel.group_channel_id is not None,
        can_set=can_set,
        address=channel.address_for(user.pk),
        owner=channel.owner.shown_name,
        answer=channel.answer,
        is_taken=200 <= channel.answer < 300,
        answered=when(channel.answered_at, timezone.now()),
        is_stopped=channel.stopped_at is not None,
        channel=channel.pk,
        is_asked=any(person.pk == user.pk for person in waiting),
        waits_for=", ".join(person.shown_name for person in waiting),
    )
