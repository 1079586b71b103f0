"""The channel of a group as its members see it: the address is a secret, so only a part of it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from accounts.models import User
from games.base.groups import membership_of
from games.values import GroupRole

if TYPE_CHECKING:
    from games.models import Group


@dataclass(frozen=True)
class ChannelView:
    """The channel of a group: its number, its host, and what the reader has said of it.

    `agrees` is None where the reader is asked at each table. Who has set it is not said: the reader may be kept apart
    from them.
    """

    number: int
    host: str
    agrees: bool | None
    is_stopped: bool


@dataclass(frozen=True)
class ChannelPage:
    """The page of a group's channel; `address` is the part that is shown, empty without one."""

    slug: str
    can_set: bool
    channel: ChannelView | None
    address: str = ""


def channel_view(group: "Group", reader: User) -> ChannelView | None:
    """Return the channel of a group, None without one. No query, where it was fetched with the group."""
    channel = getattr(group, "channel", None)
    if channel is None:
        return None
    return ChannelView(
        number=channel.pk,
        host=channel.host,
        agrees=channel.answer_of(reader.pk),
        is_stopped=channel.stopped_at is not None,
    )


def channel_page(user: User, slug: str) -> ChannelPage:
    """Return the page of a group's channel for a member. One query.

    Raises:
        NotFound: there is no such group, or the reader is no member.

    """
    own = membership_of(user, slug)
    view, channel = channel_view(own.group, user), getattr(own.group, "channel", None)
    return ChannelPage(
        slug=own.group.slug,
        can_set=own.role != GroupRole.MEMBER,
        channel=view,
        address=channel.address_for(user.pk) if channel else "",
    )
