"""The channels by which players are reached, one line each."""

from functools import reduce
from operator import or_

from django.db.models import Q

from games.notifications.channels.base import Channel
from games.notifications.channels.email import EmailChannel
from games.notifications.channels.push import PushChannel

#: A person is notified by each of these that reaches them and that they have chosen for what happened.
CHANNELS: tuple[Channel, ...] = (PushChannel(), EmailChannel())

#: Which players can perhaps be reached by some channel when it is their turn: a condition on `Player`.
REACHED: Q = reduce(or_, (channel.players for channel in CHANNELS))


def channel_called(name: str) -> Channel | None:
    """Return the channel of that name, None if there is none any more."""
    return next((channel for channel in CHANNELS if channel.name == name), None)
