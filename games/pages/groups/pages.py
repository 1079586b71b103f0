"""The pages of groups: a person's own, one with its tables and results, its members, and what its link leads to."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from accounts.models import User
from games.base.apart import apart_from
from games.base.groups import group_of_link, membership_of
from games.pages.board.faces import Face, face
from games.pages.groups.channel import ChannelView, channel_view
from games.pages.lists import cards
from games.pages.lists.cards import GameCard
from games.pages.lists.paging import ListPage, OpenPage, list_page, open_page
from games.queries.people.groups import (
    OwnGroup,
    belongs_to,
    count_members,
    finished_games_of_group,
    groups_joined_by,
    groups_to_play_in,
    members_of,
    running_games_of_group,
    standing_of,
    table_to_sit_down,
    tables_of_group,
)
from games.queries.people.seated import load_players
from games.queries.tables.repeating import games_to_repeat
from games.queries.tables.table import leaves_choice
from games.values import Access, GroupRole, Occupant, Status
from games.words import names
from games.words.groups import ROLES, group_title, members_line
from games.words.moments import Here, here

if TYPE_CHECKING:
    from games.models import Game, Group, Membership

#: How many members are shown on the page of a group.
FACES = 12
#: How many players a table of one tap can have, the most first.
PLAYERS = (4, 3, 2)


@dataclass(frozen=True)
class GroupLine:
    """A group in the list of a person's own; `waiting` says that some of its tables have a seat to take, if so."""

    slug: str
    name: str
    members: str
    waiting: str


@dataclass(frozen=True)
class NamedGroup:
    """What leads to a group: the part of its address, and what it is called."""

    slug: str
    name: str


@dataclass(frozen=True)
class MemberView:
    """A member: `username` is what addresses are made of, `here` is there if the reader may know it.

    The reader may take them out, or say what they may do.
    """

    username: str
    name: str
    face: Face
    role: str
    role_name: str
    here: Here | None
    can_be_removed: bool
    can_be_given: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class GroupHead:
    """What every page of a group begins with: its name, its link, and what the reader may do.

    Its games are followed by its `key`, for members alone.
    """

    key: int
    slug: str
    name: str
    own_name: str
    token: str
    members: str
    is_owner: bool
    is_keeper: bool


@dataclass(frozen=True)
class GroupTable:
    """A table of the group that waits: whether the reader sits there, is invited, or may take a seat that is free.

    `has_choice` says that a player who sits down chooses a colour, on the table's page.
    """

    card: GameCard
    is_mine: bool
    is_invited: bool
    is_free: bool
    has_choice: bool


@dataclass(frozen=True)
class StandingView:
    """The table that the group always has: its board, whether it rests, and the game that it has now."""

    board: str
    game: str
    rests: bool


@dataclass(frozen=True)
class GroupPage:
    """A group with its tables that wait, its running games, the first of its members, and beside them its results."""

    head: GroupHead
    tables: Sequence[GroupTable]
    running: Sequence[GameCard]
    finished: OpenPage[GameCard]
    members: Sequence[MemberView]
    standing: StandingView | None
    has_ratings: bool
    channel: ChannelView | None
    players: tuple[int, ...] = PLAYERS


@dataclass(frozen=True)
class MembersPage:
    """The members of a group, in pages, and what the reader may change."""

    head: GroupHead
    members: ListPage[MemberView]


@dataclass(frozen=True)
class GroupDoor:
    """What the link of a group leads to: who invites to which group, and a table of it that waits, if one does.

    Its `slug` is said to members alone. `has_name` says that it is not called after its owner.
    """

    slug: str
    is_member: bool
    name: str
    has_name: bool
    owner: str
    address: str
    members: str
    table: str
    waits_for: str


def own_groups(user: User) -> Sequence[GroupLine]:
    """Return the groups of this person. One query."""
    return [_line(own) for own in groups_joined_by(user)]


def named_group(user: User | AnonymousUser, slug: str) -> NamedGroup:
    """Return what leads a member to their group. One query.

    Raises:
        NotFound: there is no such group, or the reader is no member.

    """
    group = membership_of(user, slug).group
    return NamedGroup(group.slug, _title(group))


def named_groups(user: User | AnonymousUser) -> Sequence[NamedGroup]:
    """Return what leads a person to each of their groups, the last joined first. One query."""
    return [NamedGroup(group.slug, _title(group)) for group in groups_to_play_in(user)]


def group_page(user: User, slug: str, number: int) -> GroupPage:
    """Return a group as its members see it. Nine queries at most, and those of `games_to_repeat` and `apart_from`.

    Raises:
        NotFound: there is no such group, or the reader is no member.

    """
    own = membership_of(user, slug)
    group, apart, now = own.group, apart_from(user), timezone.now()
    tables = tables_of_group(group, apart) if number == 1 else []
    running = running_games_of_group(group, apart) if number == 1 else []
    # All at once, so that each person is read once.
    finished = open_page(partial(finished_games_of_group, group, apart), number, list)
    load_players([*tables, *running, *finished.rows])
    again = games_to_repeat(user, finished.rows, apart)
    people = members_of(group, user, apart, 0, FACES) if number == 1 else []
    return GroupPage(
        head=_head(own, count_members(group, apart)),
        tables=[_table(game, user, now) for game in tables],
        running=[_running(game, user, now) for game in running],
        finished=OpenPage(
            [cards.finished_card(game, user.pk, may_repeat=game.pk in again) for game in finished.rows],
            finished.number,
            finished.newer,
            finished.older,
        ),
        members=[_member(row, own) for row in people],
        standing=_standing(group) if number == 1 else None,
        has_ratings=settings.RATINGS,
        channel=channel_view(group, user),
    )


def _standing(group: "Group") -> StandingView | None:
    found = standing_of(group)
    if found is None:
        return None
    goes_on = found.game is not None and found.game.status in (Status.OPEN, Status.RUNNING)
    return StandingView(
        board=names.variant_name(found.variant),
        game=found.game.slug if found.game and goes_on else "",
        rests=found.due_at is None and not goes_on,
    )


def _table(game: "Game", user: User, now: datetime) -> GroupTable:
    players = list(game.players.all())
    taken = [player for player in players if player.user_id or player.bot]
    card = cards.waiting_card(game, user.pk, now)
    return GroupTable(
        card=replace(card, needs="", line=names.seats_taken(len(taken), len(players))),
        is_mine=user.pk in [player.user_id for player in players],
        is_invited=user.pk in [player.invitee_id for player in players if player not in taken],
        is_free=any(player.access != Access.NAMED for player in players if player not in taken),
        has_choice=leaves_choice(game),
    )


def _running(game: "Game", user: User, now: datetime) -> GameCard:
    card = cards.running_card(game, user.pk, now)
    if any(player.user_id == user.pk for player in game.players.all()):
        return card
    # How long the players still have is their business.
    return replace(card, figure="", deadline=None)


def members_page(user: User, slug: str, number: int) -> MembersPage:
    """Return the members of a group, without those from whom the reader is kept apart. Three queries, and theirs.

    Raises:
        NotFound: there is no such group, or the reader is no member.

    """
    own = membership_of(user, slug)
    apart = apart_from(user)
    count = count_members(own.group, apart)
    read = partial(members_of, own.group, user, apart)
    return MembersPage(
        _head(own, count), list_page(read, number, count, lambda rows: [_member(row, own) for row in rows])
    )


def group_door(user: User | AnonymousUser, token: str) -> GroupDoor:
    """Return what the link with this secret leads to. Six queries at most, and those of `apart_from`.

    Raises:
        NotFound: there is no such group.

    """
    group = group_of_link(token)
    reader = user if isinstance(user, User) else None
    owner = Occupant.of(group.owner) if group.owner else Occupant()
    is_member = reader is not None and belongs_to(reader, group)
    table = None if is_member else table_to_sit_down(group, reader)
    free = sum(not (player.user_id or player.bot) for player in table.players.all()) if table else 0
    return GroupDoor(
        slug=group.slug if is_member else "",
        is_member=is_member,
        name=_title(group),
        has_name=bool(group.name),
        owner=names.person_name(owner),
        address=names.page_of(owner),
        members=members_line(count_members(group, apart_from(user))),
        table=table.slug if table else "",
        waits_for=names.variant_name(table.variant) + " · " + _free(free) if table else "",
    )


def _line(own: OwnGroup) -> GroupLine:
    waiting = ngettext("%(n)d table waits for players", "%(n)d tables wait for players", own.waiting)
    return GroupLine(
        slug=own.group.slug,
        name=_title(own.group),
        members=members_line(own.members),
        waiting=waiting % {"n": own.waiting} if own.waiting else "",
    )


def _title(group: "Group") -> str:
    return group_title(group.name, Occupant.of(group.owner) if group.owner else Occupant())


def _free(count: int) -> str:
    return ngettext("%(n)d seat is free", "%(n)d seats are free", count) % {"n": count}


def _head(own: "Membership", count: int) -> GroupHead:
    group, role = own.group, own.role
    return GroupHead(
        key=group.pk,
        slug=group.slug,
        name=_title(group),
        own_name=group.name,
        token=group.invite_token,
        members=members_line(count),
        is_owner=role == GroupRole.OWNER,
        is_keeper=role != GroupRole.MEMBER,
    )


def _member(row: "Membership", own: "Membership") -> MemberView:
    person, mine = row.person, own.role
    may_remove = mine == GroupRole.OWNER or (mine == GroupRole.KEEPER and row.role == GroupRole.MEMBER)
    is_reader = row.person_id == own.person_id
    return MemberView(
        username=person.username,
        name=person.shown_name,
        face=face(Occupant.of(person)),
        role=row.role,
        role_name=str(ROLES[row.role]),
        here=here(person.last_here, timezone.now()),
        can_be_removed=may_remove and not is_reader,
        can_be_given=_roles(row) if mine == GroupRole.OWNER and not is_reader else (),
    )


def _roles(row: "Membership") -> tuple[tuple[str, str], ...]:
    """Return what the owner may make of a member, by what buttons say."""
    found = [
        (GroupRole.MEMBER.value, gettext("Keeper no longer"))
        if row.role == GroupRole.KEEPER
        else (GroupRole.KEEPER.value, gettext("Make keeper"))
    ]
    if not row.person.is_guest:
        found.append((GroupRole.OWNER.value, gettext("Make owner")))
    return tuple(found)
