"""Merging a guest into the account of the same person: a rule for each field of a table that names a person.

The action is made from this list (`games.actions.guests.merge_guest`); a test is red when a table of any kind names a
person and is not in it. It takes many steps, so that none of them is long; meanwhile a lease says who is merged into
whom (`Merging`), and the sweep finishes what has broken off.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Exists, Model, OuterRef, QuerySet

from accounts.database import lots
from accounts.models import AccountChange, ApiToken, ChildLink, Presence, User
from games.models import (
    AllowedPerson,
    Analysis,
    Appeal,
    Archive,
    BlockedPerson,
    Companion,
    DailyDigest,
    Decision,
    Feed,
    FollowedPerson,
    Game,
    GameChannel,
    Group,
    GroupChannel,
    HeadToHead,
    Holiday,
    HolidayBook,
    Lease,
    Membership,
    Mistake,
    MutedPerson,
    Note,
    Notification,
    Player,
    PlayerRating,
    PlayerReport,
    PushSubscription,
    PuzzleTry,
    Reaction,
    Receiver,
    Review,
    Seek,
    Study,
    StudyComment,
    StudyEditor,
    TableChange,
    TalkMessage,
    Tally,
    WebhookNotice,
)


class Merge(Enum):
    """What becomes of the rows that name a guest."""

    MOVE = "they name the account from then on"
    KEEP_OWN = "so do these, but where the account has such a row already, it keeps its own"
    ADD_UP = "they are added to what is counted of the account"
    DROP = "they go with the guest"


@dataclass(frozen=True)
class MergedField:
    """What becomes of the rows of a table that name a guest in this field.

    `beside` are the other fields of which there may be one row a person.
    """

    model: type[Model]
    field: str
    rule: Merge
    beside: tuple[str, ...] = ()
    why: str = ""

    @property
    def label(self) -> str:
        """Return the name of the field, after that of its table."""
        return f"{self.model._meta.label}.{self.field}"


#: How the leases begin that say who is merged, by which the audit knows it too; and how long a merge gets to go on.
MERGING, MERGE_PATIENCE = "merging-", timedelta(minutes=1)


class Merging(NamedTuple):
    """A guest who is being merged into an account, by their keys."""

    guest: int
    member: int


def begin_merging(guest: int, member: int, now: datetime) -> None:
    """Note that a guest is being merged into an account, until `end_merging`. One query."""
    Lease.objects.create(name=f"{MERGING}{guest}", holder=str(member), until=now + MERGE_PATIENCE)


def merging_of(guest: int) -> Merging | None:
    """Return into which account a guest is being merged, None if into none. One query."""
    holder = Lease.objects.filter(pk=f"{MERGING}{guest}").values_list("holder", flat=True).first()
    return Merging(guest, int(holder)) if holder else None


def put_off_merging(guest: int, now: datetime) -> None:
    """Note that a merge goes on, or has failed: the sweep goes on with it only after a while. One query."""
    Lease.objects.filter(pk=f"{MERGING}{guest}").update(until=now + MERGE_PATIENCE)


def end_merging(guest: int) -> None:
    """Note that a guest is merged and closed. One query."""
    Lease.objects.filter(pk=f"{MERGING}{guest}").delete()


def mergings(due_by: datetime | None = None) -> list[Merging]:
    """Return who is being merged, or by a moment should have been. One query."""
    leases = Lease.objects.filter(name__startswith=MERGING)
    rows = (leases if due_by is None else leases.filter(until__lte=due_by)).order_by("until")
    return [
        Merging(int(name.removeprefix(MERGING)), int(holder)) for name, holder in rows.values_list("name", "holder")
    ]


#: In the order in which they are changed: games and seats first.
MERGED_FIELDS: tuple[MergedField, ...] = (
    MergedField(Game, "creator", Merge.MOVE),
    MergedField(Game, "turn_user", Merge.MOVE),
    MergedField(Player, "user", Merge.MOVE),
    MergedField(Player, "invitee", Merge.MOVE),
    MergedField(TalkMessage, "author", Merge.MOVE),
    MergedField(Reaction, "author", Merge.KEEP_OWN, ("move",)),
    MergedField(TableChange, "person", Merge.MOVE),
    MergedField(Review, "asked_by", Merge.MOVE),
    MergedField(Study, "owner", Merge.MOVE),
    MergedField(StudyComment, "author", Merge.MOVE),
    MergedField(StudyEditor, "person", Merge.DROP, why="no one lets a guest write, who can be anyone"),
    MergedField(Group, "owner", Merge.MOVE),
    MergedField(Membership, "person", Merge.KEEP_OWN, ("group",)),
    MergedField(GroupChannel, "owner", Merge.MOVE),
    MergedField(Analysis, "user", Merge.KEEP_OWN, ("game",)),
    MergedField(Mistake, "user", Merge.KEEP_OWN, ("game", "number")),
    MergedField(PuzzleTry, "user", Merge.KEEP_OWN, ("day",)),
    MergedField(Note, "user", Merge.KEEP_OWN, ("game",)),
    MergedField(Notification, "user", Merge.KEEP_OWN, ("game", "occasion", "event")),
    MergedField(Notification, "other", Merge.MOVE),
    MergedField(BlockedPerson, "person", Merge.KEEP_OWN, ("other",)),
    MergedField(BlockedPerson, "other", Merge.KEEP_OWN, ("person",)),
    MergedField(MutedPerson, "person", Merge.KEEP_OWN, ("other",)),
    MergedField(MutedPerson, "other", Merge.KEEP_OWN, ("person",)),
    MergedField(FollowedPerson, "person", Merge.KEEP_OWN, ("other",)),
    MergedField(FollowedPerson, "other", Merge.KEEP_OWN, ("person",)),
    MergedField(PlayerReport, "reporter", Merge.KEEP_OWN, ("thing",)),
    MergedField(PlayerReport, "person", Merge.MOVE),
    MergedField(Decision, "person", Merge.MOVE),
    MergedField(Tally, "user", Merge.ADD_UP),
    MergedField(Companion, "user", Merge.ADD_UP),
    MergedField(Companion, "other", Merge.ADD_UP),
    MergedField(HeadToHead, "user", Merge.ADD_UP),
    MergedField(HeadToHead, "other", Merge.ADD_UP),
    MergedField(PlayerRating, "user", Merge.DROP, why="guests have none; their games count from the next fit on"),
    MergedField(Decision, "moderator", Merge.DROP, why="no guest decides"),
    MergedField(Appeal, "moderator", Merge.DROP, why="no guest decides"),
    MergedField(Seek, "person", Merge.DROP, why="no guest has a standing seek"),
    MergedField(HolidayBook, "user", Merge.DROP, why="an account has its own; what was taken stands in the seats"),
    MergedField(Holiday, "user", Merge.DROP, why="what was taken stands in the seats"),
    MergedField(DailyDigest, "user", Merge.DROP, why="a guest has no address to write to"),
    MergedField(PushSubscription, "user", Merge.DROP, why="a device belongs to the log-in that has ended"),
    MergedField(Feed, "user", Merge.DROP, why="who has the address reads the feed: the account has its own"),
    MergedField(GameChannel, "owner", Merge.DROP, why="who has the address writes in the channel: it is set again"),
    MergedField(Receiver, "owner", Merge.DROP, why="a guest has no tokens"),
    MergedField(WebhookNotice, "user", Merge.DROP, why="a guest has no tokens"),
    MergedField(WebhookNotice, "owner", Merge.DROP, why="a guest has no tokens"),
    MergedField(Archive, "user", Merge.DROP, why="it is of the guest alone; a new one has all"),
    MergedField(AccountChange, "user", Merge.DROP, why="it is about the log-in of the guest"),
    MergedField(ApiToken, "user", Merge.DROP, why="a guest has none"),
    MergedField(User, "operator", Merge.DROP, why="a guest answers for no bot"),
    MergedField(User, "guardian", Merge.DROP, why="a guest answers for no child"),
    MergedField(ChildLink, "child", Merge.DROP, why="no guest is a child whom a guardian lets in"),
    MergedField(AllowedPerson, "child", Merge.DROP, why="no guest is a child whose guardian allows people"),
    MergedField(AllowedPerson, "other", Merge.DROP, why="no guardian allows a guest, who can be anyone"),
    MergedField(Presence, "person", Merge.DROP, why="of no guest it is kept when they were here"),
)

#: Tables of the library of accounts, by their names: a guest has nothing to log in with.
OF_LOG_INS = {
    "account.EmailAddress.user",
    "mfa.Authenticator.user",
    "socialaccount.SocialAccount.user",
    "accounts.User_groups.user",
    "accounts.User_user_permissions.user",
}


#: What is the account's from the first step on: who is kept apart, and the groups, in which answers count.
AT_ONCE = (BlockedPerson, Group, Membership, GroupChannel)
#: What is moved with what is counted of it (`games.actions.guests.merge_guest`).
COUNTED = {(Player, "user"), (Game, "creator")}


def reassign_at_once(guest: int, member: int, going: Collection[int]) -> None:
    """Reassign to a member what of a guest's is not to wait: these games, groups, and whom either has blocked.

    Four queries, and one or two for each other field.
    """
    for model, field, games in (
        (Game, "creator", "pk"),
        (Game, "turn_user", "pk"),
        (Player, "user", "game"),
        (Player, "invitee", "game"),
    ):
        rows = model._default_manager.filter(**{field: guest, f"{games}__in": going})
        rows.update(**{field: member})
    for each in MERGED_FIELDS:
        if each.model in AT_ONCE and each.rule in (Merge.MOVE, Merge.KEEP_OWN):
            _reassign(each, guest, member, each.model._default_manager.filter(**{each.field: guest}))


def next_field(guest: int) -> MergedField | None:
    """Return the first of the fields that name a guest anywhere whose rows are to be moved, None for none. One query.

    Rows that are moved with what is counted of them are no part of it.
    """
    return next(iter(_fields_naming(guest)), None)


def reassign_lot(each: MergedField, guest: int, member: int) -> None:
    """Reassign the first rows of a guest by one field to a member, as many as one transaction takes. Four queries."""
    rows = each.model._default_manager.filter(**{each.field: guest})
    keys = list(rows.order_by("pk").values_list("pk", flat=True)[: lots.ROWS_A_TRANSACTION])
    _reassign(each, guest, member, rows.filter(pk__in=keys))


def _reassign(each: MergedField, guest: int, member: int, rows: "QuerySet[Any, Any]") -> None:
    """Reassign rows of a guest. Those that would say something of the member and themselves go."""
    if each.rule is Merge.KEEP_OWN:
        same = {name: OuterRef(name) for name in each.beside}
        own = each.model._default_manager.filter(**{each.field: member}, **same)
        rows.filter(Exists(own)).delete()
        if "other" in (each.field, *each.beside) and "person" in (each.field, *each.beside):
            rows.filter(**{each.beside[0]: member}).delete()
    rows.update(**{each.field: member})


def _fields_naming(guest: int) -> list[MergedField]:
    """Return those of the fields whose rows change that name a guest anywhere. One query: most guests are in few."""
    changed = [
        each
        for each in MERGED_FIELDS
        if each.rule in (Merge.MOVE, Merge.KEEP_OWN) and (each.model, each.field) not in COUNTED
    ]
    with connection.cursor() as cursor:
        cursor.execute(
            " UNION ALL ".join(_asked(number, each) for number, each in enumerate(changed)), [guest] * len(changed)
        )
        return [changed[number] for (number,) in sorted(cursor.fetchall())]


def _asked(number: int, each: MergedField) -> str:
    """Return what asks for the number of a field, where a person stands in it."""
    column = next(field.column for field in each.model._meta.concrete_fields if field.name == each.field)
    table, named = map(connection.ops.quote_name, (each.model._meta.db_table, str(column)))
    return f"SELECT {number} WHERE EXISTS (SELECT 1 FROM {table} WHERE {named} = %s)"  # noqa: S608  (names of ours)


def undecided_fields(models: Collection[type[Model]]) -> Iterator[str]:
    """Yield the fields of these tables that name a person, and of which it is not said what becomes of them."""
    said = {each.label for each in MERGED_FIELDS} | OF_LOG_INS
    for model in models:
        for field in model._meta.concrete_fields:
            label = f"{model._meta.label}.{field.name}"
            if field.related_model is User and label not in said:
                yield label
