"""The channels of games, and the posts that wait for them."""

from dataclasses import dataclass

from django.db.models import Q

from accounts.models import User
from games.models import ChannelPost, GameChannel

#: Of a message to a channel that has taken the last one.
TAKEN_BY_CHANNEL = Q(channel__answer__gte=200, channel__answer__lt=300)


def game_channel_of(game_id: int) -> GameChannel | None:
    """Return the channel of a game with its owner, None if it has none. One query."""
    return GameChannel.objects.filter(game=game_id).select_related("owner", "group_channel").first()


@dataclass(frozen=True)
class ChannelAsked:
    """A channel to which a person at a table has yet to agree: its number, its host, and the player who has set it.

    There is no such player where it is the channel of the table's group.
    """

    channel: int
    host: str
    owner: User | None


def channel_asked(user_id: int | None, slug: str) -> ChannelAsked | None:
    """Return the channel of a game to which this person at its table has yet to agree, None if there is none.

    Two queries where the game has a channel.
    """
    channel = GameChannel.objects.filter(game__slug=slug).select_related("owner", "group_channel").first()
    if channel is None or user_id is None or not channel.waits_for({user_id}):
        return None
    return ChannelAsked(channel.pk, channel.host, None if channel.group_channel_id else channel.owner)


def has_game_channel(user_id: int) -> bool:
    """Return whether some table sends messages to a channel that this person has set. One query."""
    return GameChannel.objects.filter(owner=user_id).exists()


def posts_of(game_id: int) -> list[tuple[int, int]]:
    """Return each message about a game that waits to be sent, and how many tries have begun. One query."""
    waiting = ChannelPost.objects.filter(channel__game=game_id, due_at__isnull=False, tries=0)
    return list(waiting.order_by("pk").values_list("pk", "tries"))


def is_post_doubtful(post_id: int) -> bool:
    """Return whether the channel of a message has not taken the last one, or never was sent any. One query."""
    return not ChannelPost.objects.filter(TAKEN_BY_CHANNEL, pk=post_id).exists()
