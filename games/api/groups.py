"""Groups as programs see them."""

from datetime import datetime
from typing import TYPE_CHECKING

from ninja import Schema

from accounts.models import User
from games.api.schemas import Sent, terms_sent, with_terms
from games.base.apart import apart_from
from games.base.groups import MAX_MEMBERS, membership_of
from games.base.setup import GameSetup, SeatSetup
from games.queries.people.groups import (
    OwnGroup,
    finished_games_of_group,
    members_of,
    running_games_of_group,
    standing_of,
    tables_of_group,
)
from games.queries.people.seated import load_players
from games.rules.errors import UnknownVariant
from games.rules.variants import get_variant

if TYPE_CHECKING:
    from games.models import Game

#: So many finished games are listed, the latest.
FINISHED_LISTED = 24


class NamingGroup(Sent):
    """The `name` of a group; without one it is called after its owner."""

    name: str = ""


class JoiningGroup(Sent):
    """The secret of the link of a group, `token`: the last part of it."""

    token: str


class GivingRole(Sent):
    """What a member may do in a group: `owner`, `keeper` or `member`."""

    role: str


@with_terms
class StandingRequest(Sent):
    """The table that a group is always to have: its board, and its terms as those of any table; all seats are open."""

    variant: str

    def setup(self) -> GameSetup:
        """Return each of its tables, not yet checked."""
        try:
            number = get_variant(self.variant).seats
        except UnknownVariant:
            number = 0
        return GameSetup(variant=self.variant, seats=(SeatSetup(kind="open"),) * number, **terms_sent(self, ["open"]))


class GroupLineOut(Schema):
    """A group of yours: what you may do in it, how many members it has, and how many of its tables wait for players."""

    slug: str
    name: str
    owner: str
    role: str
    members: int
    waiting: int

    @classmethod
    def of(cls, own: OwnGroup) -> "GroupLineOut":
        """Return the line of a group."""
        group = own.group
        name = group.owner.username if group.owner else ""
        return cls(
            slug=group.slug, name=group.name, owner=name, role=own.role, members=own.members, waiting=own.waiting
        )


class GroupMemberOut(Schema):
    """A member of a group, and what they may do in it."""

    name: str
    role: str
    since: datetime


class GroupOut(Schema):
    """A group of yours: what you may do in it, its members, and the `token` of its link, by which others may join.

    `name` is empty where it is called after its owner. `standing` is the variant of the table that it always has, null
    without one.
    """

    slug: str
    name: str
    owner: str
    role: str
    token: str
    standing: str | None
    members: list[GroupMemberOut]


class GroupGameOut(Schema):
    """A game of a group: who sits there, `players` by name, and who has won."""

    slug: str
    name: str
    variant: str
    status: str
    players: list[str]
    winners: list[str]
    changed_at: datetime

    @classmethod
    def of(cls, game: "Game") -> "GroupGameOut":
        """Return what is said of a game; its players are fetched."""
        people = [player for player in game.players.all() if player.user is not None]
        return cls(
            slug=game.slug,
            name=game.name,
            variant=game.variant,
            status=game.status,
            players=[player.user.username for player in people if player.user],
            winners=[player.user.username for player in people if player.user and player.is_winner],
            changed_at=game.changed_at,
        )


class GroupGamesOut(Schema):
    """The games of a group: those that are `open` to join, those that are `running`, and the last that are finished."""

    open: list[GroupGameOut]
    running: list[GroupGameOut]
    finished: list[GroupGameOut]


def group_out(user: User, slug: str) -> GroupOut:
    """Return a group as one of its members sees it. Three queries, and those of `apart_from`.

    Raises:
        NotFound: there is no such group, or the person is no member.

    """
    own = membership_of(user, slug)
    group = own.group
    standing = standing_of(group)
    return GroupOut(
        slug=group.slug,
        name=group.name,
        owner=group.owner.username if group.owner else "",
        role=own.role,
        token=group.invite_token,
        standing=standing.variant if standing else None,
        members=[
            GroupMemberOut(name=row.person.username, role=row.role, since=row.joined_at)
            for row in members_of(group, user, apart_from(user), 0, MAX_MEMBERS)
        ],
    )


def group_games_out(user: User, slug: str) -> GroupGamesOut:
    """Return the games of a group as one of its members sees them. Six queries, and those of `apart_from`.

    Raises:
        NotFound: there is no such group, or the person is no member.

    """
    group, apart = membership_of(user, slug).group, apart_from(user)
    found = (
        tables_of_group(group, apart),
        running_games_of_group(group, apart),
        finished_games_of_group(group, apart, 0, FINISHED_LISTED),
    )
    load_players([game for games in found for game in games])
    waiting, running, finished = ([GroupGameOut.of(game) for game in games] for games in found)
    return GroupGamesOut(open=waiting, running=running, finished=finished)
