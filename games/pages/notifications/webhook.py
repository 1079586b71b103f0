"""What a table's players see of its webhook: the address is a secret, so only a part of it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils import timezone

from accounts.models import User
from games.queries.notices.webhooks import webhook_of
from games.table.changes import people_at
from games.values import Status
from games.words.moments import When, when

if TYPE_CHECKING:
    from games.models import Game

#: At most this many of the last characters its owner sees.
SHOWN_END = 4


@dataclass(frozen=True)
class WebhookPage:
    """`address` is the part that is shown, empty without a webhook; `answer` the status of the last try, 0 for none.

    `is_of_group` says that it is the channel of the table's group. `waits_for` names those who have yet to agree, and
    `is_asked` says that the viewer is one of them; `chat` is the number that they agree to.
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
    chat: int = 0
    is_asked: bool = False
    waits_for: str = ""

    @property
    def example(self) -> str:
        """Return what such an address looks like."""
        return "https://discord.com/api/webhooks/…"


def webhook_page(game: "Game", user: User) -> WebhookPage:
    """Return the page of a table's webhook for one of its players. At most two queries."""
    hook = webhook_of(game.pk)
    can_set = game.status in (Status.OPEN, Status.RUNNING)
    if hook is None:
        return WebhookPage(game.slug, game.is_public, False, can_set)
    waiting = hook.waits_for(people_at(game))
    end = hook.address[-SHOWN_END:] if hook.owner_id == user.pk else ""
    return WebhookPage(
        slug=game.slug,
        is_public=game.is_public,
        is_of_group=hook.channel_id is not None,
        can_set=can_set,
        address=f"{hook.host}/…{end}",
        owner=hook.owner.shown_name,
        answer=hook.answer,
        is_taken=200 <= hook.answer < 300,
        answered=when(hook.answered_at, timezone.now()),
        is_stopped=hook.stopped_at is not None,
        chat=hook.pk,
        is_asked=any(person.pk == user.pk for person in waiting),
        waits_for=", ".join(person.shown_name for person in waiting),
    )
