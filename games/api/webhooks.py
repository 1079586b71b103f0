"""What the API says of webhooks."""

from datetime import datetime
from typing import TYPE_CHECKING, Self

from ninja import Schema

if TYPE_CHECKING:
    from games.models import Receiver


class WebhookRequest(Schema):
    """The address to which what happens is sent: it begins with https:// and has a name."""

    address: str


class WebhookOut(Schema):
    """A webhook. `answer` is the HTTP status of your program's last answer, 0 for none, at `answered_at`.

    `stopped_at` is when it was switched off, because nothing was accepted for a day or the answer was 410.
    """

    id: int
    address: str
    created_at: datetime
    answer: int
    answered_at: datetime | None
    stopped_at: datetime | None

    @classmethod
    def of(cls, receiver: "Receiver") -> Self:
        """Return what is said of a receiver."""
        return cls.from_orm(receiver)


class NewWebhook(WebhookOut):
    """A webhook that was just set up, with the `secret` that signs what is sent, which is not shown again."""

    secret: str
