"""What every channel has."""

from collections.abc import Callable
from typing import Protocol

from django.db.models import Q
from django.utils.functional import Promise

from accounts.models import User
from games.notifications.messages import Message


class DeliveryError(Exception):
    """A channel could not send a message now; it is tried again. What `is_known` needs no traceback in the log."""

    is_known = False


class ChannelUnreachableError(DeliveryError):
    """What a channel sends to does not answer, which is told once for all messages."""

    is_known = True


class Channel(Protocol):
    """A way to reach players outside the pages."""

    #: What choices and the outbox call it.
    name: str

    #: Which players can perhaps be reached this way when it is their turn: a condition on `Player`, for queries. What
    #: a person has chosen is asked later.
    players: Q

    @property
    def label(self) -> str | Promise:
        """Return what people call it, at the head of its column of switches."""

    def is_offered(self) -> bool:
        """Return whether this site has the channel at all: only then can it be chosen."""

    def is_confirmed(self, user: User) -> bool:
        """Return whether this person can be reached this way now, by an address that may be used. May query."""

    def state(self, user: User) -> str:
        """Return a sentence for the page of choices: where messages go now, or why none are sent. May query."""

    def send(self, user: User, message: Message, taken: Callable[[], object]) -> None:
        """Send a message, in words of the channel that this person reads; call `taken` as soon as it is on its way.

        Raises:
            DeliveryError: it was not sent.

        """
