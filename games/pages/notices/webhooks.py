"""The webhooks of a person and of their bots, as the person keeps them."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from accounts.bots.keeping import bot_accounts_of
from accounts.models import User
from games.queries.notices.webhooks import receivers_kept_by
from games.words.moments import When, when


@dataclass(frozen=True)
class ReceiverRow:
    """A webhook: of which account it tells, where, and by which token it was set up, "" for this page.

    `answer` is the HTTP status of the last answer, 0 for none, `answered` when that was.
    """

    pk: int
    player: str
    address: str
    token: str
    answer: int
    is_taken: bool
    answered: When | None
    is_failing: bool
    is_stopped: bool


@dataclass(frozen=True)
class ReceiversPage:
    """The webhooks of a person, the first first, and the accounts of which one can tell: the person's own, their bots.

    `secret` is that of one just made, "" for none.
    """

    receivers: Sequence[ReceiverRow]
    players: Sequence[User]
    secret: str = ""


def receivers_page(person: User, secret: str = "") -> ReceiversPage:
    """Return the webhooks of a person and of their bots. Two queries."""
    now = timezone.now()
    rows = [
        ReceiverRow(
            pk=each.pk,
            player=each.owner.shown_name,
            address=each.address,
            token=each.token.name if each.token else "",
            answer=each.answer,
            is_taken=200 <= each.answer < 300,
            answered=when(each.answered_at, now),
            is_failing=each.failing_since is not None,
            is_stopped=each.stopped_at is not None,
        )
        for each in receivers_kept_by(person)
    ]
    return ReceiversPage(rows, [person, *bot_accounts_of(person)], secret)
