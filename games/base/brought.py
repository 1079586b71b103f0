"""What a guest brings along into the account of the same person: field by field, of every table that names a person.

The action is made from this list (`games.actions.guests.bring_guest`); a test is red when a table of any kind names a
person and is not in it.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import Enum

from django.db import connection
from django.db.models import Exists, Model, OuterRef

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
    Group,
    GroupChannel,
    HeadToHead,
    Holiday,
    HolidayBook,
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
    Webhook,
)


class Way(Enum):
    """What becomes of the rows that name a guest."""

    MOVED = "they name the account from then on"
    MERGED = "so do these, but where the account has such a row already, it keeps its own"
    COUNTED = "they are added to what is counted of the account"
    LEFT = "they go with the guest"


@dataclass(frozen=True)
class BroughtField:
    """What becomes of the rows of a table that name a guest in this field.

    `beside` are the other fields of which there may be one row a person.
    """

    model: type[Model]
    field: str
    way: Way
    beside: tuple[str, ...] = ()
    why: str = ""

    @property
    def label(self) -> str:
        """Return the name of the field, after that of its table."""
        return f"{self.model._meta.label}.{self.field}"


#: In the order in which they are changed: games and seats first.
BROUGHT: tuple[BroughtField, ...] = (
    BroughtField(Game, "creator", Way.MOVED),
    BroughtField(Game, "turn_user", Way.MOVED),
    BroughtField(Player, "user", Way.MOVED),
    BroughtField(Player, "invitee", Way.MOVED),
    BroughtField(TalkMessage, "author", Way.MOVED),
    BroughtField(Reaction, "author", Way.MERGED, ("move",)),
    BroughtField(TableChange, "person", Way.MOVED),
    BroughtField(Review, "asked_by", Way.MOVED),
    BroughtField(Study, "owner", Way.MOVED),
    BroughtField(StudyComment, "author", Way.MOVED),
    BroughtField(StudyEditor, "person", Way.LEFT, why="no one lets a guest write, who can be anyone"),
    BroughtField(Group, "owner", Way.MOVED),
    BroughtField(Membership, "person", Way.MERGED, ("group",)),
    BroughtField(GroupChannel, "owner", Way.MOVED),
    BroughtField(Analysis, "user", Way.MERGED, ("game",)),
    BroughtField(Mistake, "user", Way.MERGED, ("game", "number")),
    BroughtField(PuzzleTry, "user", Way.MERGED, ("day",)),
    BroughtField(Note, "user", Way.MERGED, ("game",)),
    BroughtField(Notification, "user", Way.MERGED, ("game", "occasion", "event")),
    BroughtField(Notification, "other", Way.MOVED),
    BroughtField(BlockedPerson, "person", Way.MERGED, ("other",)),
    BroughtField(BlockedPerson, "other", Way.MERGED, ("person",)),
    BroughtField(MutedPerson, "person", Way.MERGED, ("other",)),
    BroughtField(MutedPerson, "other", Way.MERGED, ("person",)),
    BroughtField(FollowedPerson, "person", Way.MERGED, ("other",)),
    BroughtField(FollowedPerson, "other", Way.MERGED, ("person",)),
    BroughtField(PlayerReport, "reporter", Way.MERGED, ("thing",)),
    BroughtField(PlayerReport, "person", Way.MOVED),
    BroughtField(Decision, "person", Way.MOVED),
    BroughtField(Tally, "user", Way.COUNTED),
    BroughtField(Companion, "user", Way.COUNTED),
    BroughtField(Companion, "other", Way.COUNTED),
    BroughtField(HeadToHead, "user", Way.COUNTED),
    BroughtField(HeadToHead, "other", Way.COUNTED),
    BroughtField(PlayerRating, "user", Way.LEFT, why="guests have none; their games count from the next fit on"),
    BroughtField(Decision, "moderator", Way.LEFT, why="no guest decides"),
    BroughtField(Appeal, "moderator", Way.LEFT, why="no guest decides"),
    BroughtField(Seek, "person", Way.LEFT, why="no guest has a standing seek"),
    BroughtField(HolidayBook, "user", Way.LEFT, why="an account has its own; what was taken stands in the seats"),
    BroughtField(Holiday, "user", Way.LEFT, why="what was taken stands in the seats"),
    BroughtField(DailyDigest, "user", Way.LEFT, why="a guest has no address to write to"),
    BroughtField(PushSubscription, "user", Way.LEFT, why="a device belongs to the log-in that has ended"),
    BroughtField(Feed, "user", Way.LEFT, why="who has the address reads the feed: the account has its own"),
    BroughtField(Webhook, "owner", Way.LEFT, why="who has the address writes in the chat: it is set again"),
    BroughtField(Receiver, "owner", Way.LEFT, why="a guest has no tokens"),
    BroughtField(Archive, "user", Way.LEFT, why="it is of the guest alone; a new one has all"),
    BroughtField(AccountChange, "user", Way.LEFT, why="it is about the log-in of the guest"),
    BroughtField(ApiToken, "user", Way.LEFT, why="a guest has none"),
    BroughtField(User, "operator", Way.LEFT, why="a guest answers for no bot"),
    BroughtField(User, "guardian", Way.LEFT, why="a guest answers for no child"),
    BroughtField(ChildLink, "child", Way.LEFT, why="no guest is a child whom a guardian lets in"),
    BroughtField(AllowedPerson, "child", Way.LEFT, why="no guest is a child whose guardian allows people"),
    BroughtField(AllowedPerson, "other", Way.LEFT, why="no guardian allows a guest, who can be anyone"),
    BroughtField(Presence, "person", Way.LEFT, why="of no guest it is kept when they were here"),
)

#: Tables of the library of accounts, by their names: a guest has nothing to log in with.
OF_LOG_INS = {
    "account.EmailAddress.user",
    "mfa.Authenticator.user",
    "socialaccount.SocialAccount.user",
    "accounts.User_groups.user",
    "accounts.User_user_permissions.user",
}


def bring_rows(guest: int, member: int) -> None:
    """Have the rows of a guest name a member, table by table.

    Rows that would say something of the member and themselves go. One query, and one a field that names the guest
    anywhere, two where rows are merged.
    """
    for each in _fields_naming(guest):
        rows = each.model._default_manager.filter(**{each.field: guest})
        if each.way is Way.MERGED:
            same = {name: OuterRef(name) for name in each.beside}
            own = each.model._default_manager.filter(**{each.field: member}, **same)
            rows.filter(Exists(own)).delete()
            if "other" in (each.field, *each.beside) and "person" in (each.field, *each.beside):
                rows.filter(**{each.beside[0]: member}).delete()
        rows.update(**{each.field: member})


def _fields_naming(guest: int) -> list[BroughtField]:
    """Return those of the fields whose rows change that name a guest anywhere. One query: most guests are in few."""
    changed = [each for each in BROUGHT if each.way in (Way.MOVED, Way.MERGED)]
    with connection.cursor() as cursor:
        cursor.execute(
            " UNION ALL ".join(_asked(number, each) for number, each in enumerate(changed)), [guest] * len(changed)
        )
        return [changed[number] for (number,) in sorted(cursor.fetchall())]


def _asked(number: int, each: BroughtField) -> str:
    """Return what asks for the number of a field, where a person stands in it."""
    column = next(field.column for field in each.model._meta.concrete_fields if field.name == each.field)
    table, named = map(connection.ops.quote_name, (each.model._meta.db_table, str(column)))
    return f"SELECT {number} WHERE EXISTS (SELECT 1 FROM {table} WHERE {named} = %s)"  # noqa: S608  (names of ours)


def undecided_fields(models: Collection[type[Model]]) -> Iterator[str]:
    """Yield the fields of these tables that name a person, and of which it is not said what becomes of them."""
    said = {each.label for each in BROUGHT} | OF_LOG_INS
    for model in models:
        for field in model._meta.concrete_fields:
            label = f"{model._meta.label}.{field.name}"
            if field.related_model is User and label not in said:
                yield label
