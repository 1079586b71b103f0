"""Groups: those of a person, their members, and their games."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F, OuterRef, Q, Subquery

from accounts.models import User
from games.base.access import Viewer
from games.base.apart import People, apart_from, games_without, is_kept_from
from games.base.welcome import last_here
from games.models import Game, Group, GroupRole, Membership, StandingTable, Status

#: So many tables that wait, and running games, a group's page shows at most.
SHOWN_TABLES = 12


@dataclass(frozen=True)
class OwnGroup:
    """A group of a person's: how many members it has, and how many of its tables have a seat that waits."""

    group: Group
    role: GroupRole
    members: int
    waiting: int


def groups_joined_by(user: User) -> list[OwnGroup]:
    """Return the groups of this person, the last joined first, at most as many as one may have.

    Those from whom they are kept apart are not counted, nor are their tables. One query, and those of `apart_from`.
    """
    apart = apart_from(user)
    members = Membership.objects.filter(group=OuterRef("group")).exclude(person__in=apart)
    tables = games_without(apart, Game.objects.filter(group=OuterRef("group"), status=Status.OPEN))
    beside, waiting = (rows.order_by().values("group") for rows in (members, tables))
    rows = (
        Membership.objects.filter(person=user)
        .select_related("group__owner")
        .annotate(
            members=Subquery(beside.annotate(n=Count("pk")).values("n")),
            waiting=Subquery(waiting.annotate(n=Count("pk")).values("n")),
        )
    )
    return [
        OwnGroup(row.group, row.role, vars(row)["members"] or 0, vars(row)["waiting"] or 0)
        for row in rows.order_by("-joined_at", "-pk")
    ]


def groups_to_play_in(user: Viewer) -> list[Group]:
    """Return the groups of this person with their owners, the last joined first. One query, none without a login."""
    if user.pk is None:
        return []
    rows = Membership.objects.filter(person=user.pk).select_related("group__owner").order_by("-joined_at", "-pk")
    return [row.group for row in rows]


def belongs_to(user: User, group: Group) -> bool:
    """Return whether a person is a member of a group. One query."""
    return Membership.objects.filter(group=group, person=user).exists()


def count_members(group: Group, apart: People) -> int:
    """Return how many members a group has, without those `apart`. One query."""
    return Membership.objects.filter(group=group).exclude(person__in=apart).count()


def members_of(group: Group, reader: User, apart: People, start: int, number: int) -> list[Membership]:
    """Return so many members of a group, with their people: its owner, its keepers, the others as they joined.

    Those of the people `apart` are left out, from whom the reader is kept apart. Each with when they were last here, if
    the reader may know. One query.
    """
    rows = Membership.objects.filter(group=group).exclude(person__in=apart).select_related("person")
    is_first = rows.annotate(is_owner=Q(person=group.owner_id), last_here=last_here(reader, "person"))
    ordered = is_first.order_by(F("is_owner").desc(), "-is_keeper", "joined_at", "pk")
    found: list[Membership] = [*ordered[start : start + number]]
    for row in found:
        row.group, row.person.last_here = group, vars(row)["last_here"]
    return found


def standing_of(group: Group) -> StandingTable | None:
    """Return the standing table of a group with its game, None without one. One query."""
    return StandingTable.objects.select_related("game").filter(group=group).first()


def standing_tables_due(before: datetime) -> set[tuple[int, int]]:
    """Return the standing tables whose next game has been due since before then, as jobs name them. One query."""
    return {(pk, 0) for pk in StandingTable.objects.filter(due_at__lte=before).values_list("pk", flat=True)}


def tables_of_group(group: Group, apart: People) -> list[Game]:
    """Return the tables of a group that wait for players, the newest first, at most a dozen. One query.

    Here and below nothing is shown of the people `apart`.
    """
    found = games_without(apart, Game.objects.filter(group=group, status=Status.OPEN))
    return list(found.order_by("-changed_at", "-pk")[:SHOWN_TABLES])


def running_games_of_group(group: Group, apart: People) -> list[Game]:
    """Return the running games of a group, the latest move first, at most a dozen. One query."""
    found = games_without(apart, Game.objects.filter(group=group, status=Status.RUNNING))
    return list(found.order_by("-changed_at", "-pk")[:SHOWN_TABLES])


def finished_games_of_group(group: Group, apart: People, start: int, number: int) -> list[Game]:
    """Return so many finished games of a group, from that one on, the latest first. One query."""
    found = games_without(apart, Game.objects.filter(group=group, status=Status.FINISHED))
    return list(found.order_by("-changed_at", "-pk")[start : start + number])


def has_seat_for(game: Game, user: User) -> bool:
    """Return whether a table of a group waits with a free seat for this person, who is a member and has none there.

    Not where they are kept apart from someone there. One query at most, and those of `apart_from` (needs the players
    fetched).
    """
    players = list(game.players.all())
    is_free = any(not (player.user_id or player.bot) and player.access != "named" for player in players)
    if game.status != Status.OPEN or not is_free or user.pk in (player.user_id for player in players):
        return False
    return Membership.objects.filter(group=game.group_id, person=user).exists() and not is_kept_from(game, user)


def table_to_sit_down(group: Group, user: User | None) -> Game | None:
    """Return the oldest table of a group with a free seat for any member, None without one.

    Three queries at most, and those of `apart_from`. A table where players choose their colours is none: a person who
    sits down there chooses on its page.
    """
    waiting = Game.objects.filter(group=group, status=Status.OPEN, lets_choose=False, min_reliability=0)
    tables = games_without(apart_from(user) if user else frozenset(), waiting).order_by("pk")
    for game in tables.prefetch_related("players")[:SHOWN_TABLES]:
        players = list(game.players.all())
        if user is not None and user.pk in (player.user_id for player in players):
            continue
        if any(not (player.user_id or player.bot) and player.access != "named" for player in players):
            return game
    return None
