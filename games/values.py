"""What tables, queries and pages speak of in common: states, kinds and reasons, and values made of them. No table."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.clock import TimeControl

#: A pause that players have agreed on ends after this long. A game has this many at most, as pages read them all.
LONGEST_PAUSE, MOST_PAUSES = timedelta(days=30), 100

#: After so many numbers of moves that were taken back (`Game.spent_numbers`) no more are, as columns have an end.
MOST_SPENT_NUMBERS = 1000

#: A note has at most this many characters.
MAX_NOTE = 1000

#: A line that a person writes at a table has at most this many characters.
MAX_MESSAGE = 500

#: A comment in a study has at most this many characters: a report shows a moderator all of it.
MAX_COMMENT = 500

#: What a reporter adds to a report, what a moderator adds to a decision, and the copy of what was reported, at most.
MAX_REPORT = MAX_DECISION = MAX_SHOWN = 500

#: The result of games between bots, which are counted for the person who opened them.
WATCHED = "watched"


class Status(TextChoices):
    """Where a game stands."""

    OPEN = "open", _("Waiting for players")
    RUNNING = "running", _("Running")
    FINISHED = "finished", _("Finished")
    CANCELLED = "cancelled", _("Cancelled")


class Reason(TextChoices):
    """Why a game ended, or why a table was cancelled by the site."""

    PLAYED_OUT = "played-out", _("Played out")
    TRAILING = "trailing", _("Passed with the lowest score")
    RESIGNED = "resigned", _("Resigned")
    OUT_OF_TIME = "out-of-time", _("Out of time")
    EXPIRED = "expired", _("Closed without enough players")
    VOID = "void", _("Not begun in time")


class Kind(TextChoices):
    """What a recorded turn was."""

    PLACE = "place"
    PASS = "pass"  # noqa: S105  (a turn, no password)
    RETIRE = "retire"


class Access(TextChoices):
    """The people who may take an empty seat."""

    OPEN = "open", _("Open to anyone")
    LINK = "link", _("Anyone with the invitation link")
    NAMED = "named", _("The invited player")


class SeatResult(TextChoices):
    """How a finished game ended for a seat."""

    WON = "won", _("Won")
    TIED = "tied", _("Tied")
    LOST = "lost", _("Lost")


class ScoreOfTwo(NamedTuple):
    """How games between two people ended for one of them: who had the better place."""

    won: int = 0
    tied: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        """Return how many there are."""
        return self.won + self.tied + self.lost


class Occasion(TextChoices):
    """What a person is notified of. What is said about it: `games.words.notices`."""

    TURN = "turn"
    DEADLINE = "deadline"
    STARTED = "started"
    OVER = "over"
    MISSED = "missed"
    AWAY = "away"
    INVITED = "invited"
    REMATCH = "rematch"
    JOINED = "joined"
    LEFT = "left"
    DECLINED = "declined"
    CANCELLED = "cancelled"
    REMOVED = "removed"
    CHANNEL_STOPPED = "chat"
    POSTING = "posting"
    PAUSE = "pause"
    PAUSED = "paused"
    RESUMED = "resumed"
    DAY_GIVEN = "day-given"
    HOLIDAY = "holiday"
    TAKEBACK = "takeback"
    TAKEN_BACK = "taken-back"
    GROUP_TABLE = "group-table"


class GroupRole(TextChoices):
    """What a member may do in a group: its owner everything, keepers may change it and take members out."""

    OWNER = "owner"
    KEEPER = "keeper"
    MEMBER = "member"


class Audience(TextChoices):
    """Whom a line is for that was said at a table."""

    PLAYERS = "players"
    WATCHERS = "watchers"


class TalkPhrase(TextChoices):
    """The ready phrases of a table, which each reader reads in their own language. In words: `games.words.talk`."""

    HELLO = "hello"
    LUCK = "luck"
    NICE_MOVE = "nice-move"
    WELL_BLOCKED = "well-blocked"
    CLOSE = "close"
    OOPS = "oops"
    WRONG_PLACE = "wrong-place"
    SORRY = "sorry"
    TAKE_TIME = "take-time"
    THINKING = "thinking"
    GO_NOW = "go-now"
    AWAY = "away"
    HERE_AGAIN = "here-again"
    PAUSE = "pause"
    FASTER = "faster"
    YES = "yes"
    NO = "no"
    THANKS = "thanks"
    WELCOME = "welcome"
    GOOD_GAME = "good-game"
    WELL_PLAYED = "well-played"
    REMATCH = "rematch"
    GOODBYE = "goodbye"


class ReactionWord(TextChoices):
    """What a player can say of a placement by one mark. In words: `games.words.talk`."""

    NICE = "nice"
    CLEVER = "clever"
    WOW = "wow"
    HA = "ha"
    OUCH = "ouch"
    THANKS = "thanks"


#: The ready phrases of those who watch a game, in the order in which they are offered.
WATCHERS_PHRASES = (
    *(TalkPhrase.HELLO, TalkPhrase.NICE_MOVE, TalkPhrase.WELL_BLOCKED, TalkPhrase.CLOSE, TalkPhrase.WELL_PLAYED),
    *(TalkPhrase.LUCK, TalkPhrase.OOPS, TalkPhrase.YES, TalkPhrase.NO, TalkPhrase.THANKS, TalkPhrase.WELCOME),
    *(TalkPhrase.GOOD_GAME, TalkPhrase.GO_NOW, TalkPhrase.GOODBYE),
)


class Reported(TextChoices):
    """What a report is about."""

    LINE = "line", _("A message")
    NAME = "name", _("A player")
    TABLE = "table", _("A table")
    GROUP = "group", _("The name of a group")
    COMMENT = "comment", _("A comment in a study")
    STUDY = "study", _("The title of a study")
    BRANCH = "branch", _("The name of a variation")


class ReportReason(TextChoices):
    """What is not allowed, the gravest first: why something is reported, and why a moderator decides as they do."""

    VIOLENCE = "violence", _("Threats or violence")
    HATE = "hate", _("Hatred of a group of people")
    INSULT = "insult", _("Insults or harassment")
    NAME = "name", _("An offensive name")
    SPAM = "spam", _("Advertising or spam")
    CHEATING = "cheating", _("Cheating")
    OTHER = "other", _("Something else")


class Measure(TextChoices):
    """What a moderator does about a person."""

    NONE = "none", _("No measure")
    HIDE = "hide", _("Message or comment hidden")
    WARN = "warn", _("Warning")
    RENAME = "rename", _("Name taken away")
    SILENCE = "silence", _("Ready phrases only")
    SUSPEND = "suspend", _("Account suspended")
    BAN = "ban", _("Account suspended for good")
    LIFT = "lift", _("Decision taken back")


class Change(TextChoices):
    """What the host has changed at a table. In words: `games.words.table_changes`."""

    NAME = "name"
    TIME = "time"
    STAND_IN = "stand-in"
    PRIVACY = "privacy"
    SWAPPED = "swapped"
    REMOVED = "removed"
    BOT_REMOVED = "bot-removed"
    BOTS_LATER = "bots-later"
    CHOOSING = "choosing"


class RemovalReason(TextChoices):
    """Why a person was removed from a table."""

    KEPT = "kept", _("The seat is meant for another player")
    SILENT = "silent", _("No answer for a long time")
    PLANS = "plans", _("The plans for this table have changed")
    OTHER = "other", _("No reason given")


class ReviewStatus(TextChoices):
    """How far a review has come."""

    WAITING = "waiting", _("Waiting")
    RUNNING = "running", _("Running")
    DONE = "done", _("Done")
    CANCELLED = "cancelled", _("Cancelled")
    FAILED = "failed", _("Failed")


@dataclass(frozen=True)
class Occupant:
    """The occupant of a seat: a person by `username`, or a bot by its stored name; or the person invited to it.

    All are empty where anybody may sit down. `has_account` says whether the person has an account that is open.
    `account` is the key of the account of the person, or of the one invited; a name in a record has none. A bot account
    counts as a person; `is_bot_account` says of a person, or of the one invited, that they are one. `mark` and `tint`
    are what the person chose to be seen by, empty for what is given (`accounts.models`). A person at the device
    of whoever opened the table has a `device_number` from 1 there, perhaps a name, and no account to be seen.
    """

    username: str = ""
    bot: str = ""
    invitee: str = ""
    has_account: bool = False
    account: int | None = None
    is_bot_account: bool = False
    mark: str = ""
    tint: str = ""
    device_number: int = 0

    @classmethod
    def of(cls, user: User) -> "Occupant":
        """Return a person, or a bot account, who sits in a seat."""
        return cls(
            username=user.username,
            has_account=user.is_active,
            account=user.pk,
            is_bot_account=user.is_bot,
            mark=user.own_mark,
            tint=user.own_tint,
        )

    @classmethod
    def invited(cls, user: User) -> "Occupant":
        """Return a person, or a bot account, who is invited to a seat."""
        return cls(
            invitee=user.username,
            account=user.pk,
            is_bot_account=user.is_bot,
            mark=user.own_mark,
            tint=user.own_tint,
        )


@dataclass(frozen=True)
class PauseRequest:
    """Players want a pause: the game's version and the moment at which the first of these seats asked for it."""

    version: int
    asked_at: datetime
    seats: tuple[int, ...]


@dataclass(frozen=True)
class GivenDay:
    """A day that one player has given another: for the turn of this seat that was due then, as this `move`.

    Requests for it named it by the `number`. The game had that `version` from then on.
    """

    version: int
    number: int
    giver: int
    seat: int
    given_at: datetime
    move: int


def days_of_turn(days: Sequence[GivenDay], seat: int, since: datetime) -> tuple[GivenDay, ...]:
    """Return which of these days count for the turn of a seat that began then."""
    return tuple(day for day in days if day.seat == seat and day.given_at >= since)


@dataclass(frozen=True)
class HolidayFact:
    """A holiday of the player in a seat that counts in a game, which had that `version` from then on."""

    version: int
    seat: int
    begins_at: datetime
    ends_at: datetime


@dataclass(frozen=True)
class TakebackRequest:
    """A player wants moves taken back: the game's version and the moment of the request, the number of the first move
    that would go, and the seats that want it, the one that has asked first.
    """

    version: int
    asked_at: datetime
    back_to: int
    seats: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class ChangeMade:
    """One change as a value: what was changed, when, and to what, as far as that belongs to its kind.

    `hours` counts from the change; 0 for never. `seats` count from 0. `bot` is a stored name, empty for none.
    """

    change: str
    moment: datetime
    time: TimeControl
    bot: str
    hours: int
    is_public: bool
    seats: tuple[int, ...]
    reason: str
    lets_choose: bool
