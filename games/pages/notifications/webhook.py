"""What a table's players see of its webhook: the address is a secret, so only a part of it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.utils import timezone

from accounts.models import User
from games.queries.notices.webhooks import webhook_of
from games.values import Status
from games.words.moments import When, when

if TYPE_CHECKING:
    from games.models import Game

#: At most this many of the last characters its owner sees.
SHOWN = 4


@dataclass(frozen=True)
class WebhookPage:
    """`address` is the part that is shown, empty without a webhook; `answer` the status of the last try, 0 for none."""

    slug: str
    is_public: bool
    can_set: bool
    address: str = ""
    owner: str = ""
    answer: int = 0
    is_taken: bool = False
    answered: When | None = None
    is_stopped: bool = False

    @property
    def example(self) -> str:
        """Return what such an address looks like."""
        return "https://discord.com/api/webhooks/…"


def webhook_page(game: "Game", user: User) -> WebhookPage:
    """Return the page of a table's webhook for one of its players. One query."""
    hook = webhook_of(game.pk)
    can_set = game.status in (Status.OPEN, Status.RUNNING)
    if hook is None:
        return WebhookPage(game.slug, game.is_public, can_set)
    end = hook.address[-SHOWN:] if hook.owner_id == user.pk else ""
    return WebhookPage(
        slug=game.slug,
        is_public=game.is_public,
        can_set=can_set,
        address=f"{urlsplit(hook.address).hostname}/…{end}",
        owner=hook.owner.shown_name,
        answer=hook.answer,
        is_taken=200 <= hook.answer < 300,
        answered=when(hook.answered_at, timezone.now()),
        is_stopped=hook.stopped_at is not None,
    )
