"""How many tables one person may open in an hour, and how many people invite, by whichever door."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.utils import timezone

from accounts import limits
from accounts.models import User
from games.base.setup import GameSetup
from games.errors import GameError
from games.values import Audience

TABLES_AN_HOUR, INVITATIONS_AN_HOUR = 30, 20
#: How often a bot account may try to open a table in an hour, the tries that are refused included.
TRIES_AN_HOUR = 60
#: How often a person may ask for a pause in an hour, in all games: others are disturbed by it.
PAUSES_AN_HOUR = 20
#: How often a person may ask in an hour for moves to be taken back, and take them back where only bots play.
TAKEBACKS_AN_HOUR = 60
#: How often a person may change their colour at tables in an hour.
CHOICES_AN_HOUR = 120
#: How often a person may change their tables in an hour.
TABLE_CHANGES_AN_HOUR = 120
#: How often a person may change the channels of their games and groups in an hour.
CHANNELS_AN_HOUR = 20
#: How many test messages to them a person may send in an hour.
CHANNEL_TESTS_AN_HOUR = 10
#: How often a person may make and try webhooks of their own in an hour, those of their bots included.
RECEIVERS_AN_HOUR, RECEIVER_TESTS_AN_HOUR = 20, 10
#: How often a person may save notes about their games in an hour.
NOTES_AN_HOUR = 240
#: How often a person may change what they have planned for their next turns in an hour.
PLANS_AN_HOUR = 600
#: How often a person may write comments in studies in an hour, and change studies otherwise.
COMMENTS_AN_HOUR, STUDIES_AN_HOUR = 120, 240
#: How often a person may take holidays in an hour, or choose whether they are taken by themselves.
HOLIDAYS_AN_HOUR = 30
#: How often a person may change what they have tried on analysis boards in an hour.
TRIED_AN_HOUR = 2400
#: How often a person, or a visitor's address, may try placements at puzzles and take hints in an hour.
PUZZLES_AN_HOUR = 1200
#: How often a person may block, follow and so on in an hour.
PEOPLE_AN_HOUR = 60
#: How often a guardian may change what a child may do in an hour, and a child ask for people.
CHILDREN_AN_HOUR, ASKED_AN_HOUR = 60, 10
#: How often a person may set, change and end standing seeks in an hour.
SEEKS_AN_HOUR = 60
#: How often a person may join, make and change groups in an hour.
GROUPS_AN_HOUR = 60
#: How much a person may report in an hour.
REPORTS_AN_HOUR = 20
#: How often a person may give days in an hour, those that are refused included: each player has one a game.
GIFTS_AN_HOUR = 60
#: How many lines a person may say at tables in how many seconds, and in an hour, those of their bots included.
LINES_AT_ONCE, LINES_SECONDS, LINES_AN_HOUR = 5, 10, 300
#: Of an account so young so many times fewer in an hour: who floods tables with words does so from a new one.
NEWCOMERS = ((timedelta(hours=3), 4), (timedelta(days=3), 2))
#: The guests of one address together do so many times as much as one of them may, however many there are: whoever has
#: come to a limit finds no way round it in another guest, and a class behind one address has room.
GUESTS_TOGETHER = 6
#: How many of them among those who watch a game.
WATCHERS_LINES_AN_HOUR = 30
#: How often a person may ask for the file of all that is theirs in an hour, those that are refused included.
ARCHIVES_AN_HOUR = 10
#: How often a person may bring one along from another site in an hour: its games are played by the rules.
IMPORTS_AN_HOUR = 10
#: How many files of finished games a person may ask for in an hour, and how many records hand in.
FILES_AN_HOUR, READ_AN_HOUR = 30, 60
#: How often a person may ask engines for good placements in an hour, and for reviews of games.
ADVICE_AN_HOUR, REVIEWS_AN_HOUR = 150, 20
#: For how many cases a moderator may ask for reviews in an hour.
CASE_REVIEWS_AN_HOUR = 20


def payer_of(user: User) -> int:
    """Return the key of the person whose use is counted: for a bot account its operator."""
    return user.operator_id or user.pk


def count_table(user: User, setup: GameSetup | None = None) -> None:
    """Count a table that this person is about to open, and those whom its seats name.

    By the person, so that a class behind one address is many; new guests are counted by where they come from. What a
    bot account does counts for its operator alone, so that bots do not multiply it.

    Raises: LimitReached.
    """
    payer = payer_of(user)
    limits.count_use(f"tables:{payer}", TABLES_AN_HOUR, 3600)
    for seat in setup.seats if setup else ():
        if seat.kind == "named":
            limits.count_use(f"invitations:{payer}", INVITATIONS_AN_HOUR, 3600)


def count_listed(user: User, setup: GameSetup, address: str) -> None:
    """Count a table that a guest is about to open, if the lobby shows it, as `count_shown`.

    Raises: LimitReached.
    """
    if setup.is_public and any(seat.kind == "open" for seat in setup.seats):
        count_shown(user, address)


def count_shown(user: User, address: str) -> None:
    """Count a table that a guest is about to show in the lobby, or to a group.

    It counts with those of all guests of the address, of whom each may have a few there. Nothing is counted of others,
    who are counted as they open tables.

    Raises: LimitReached.
    """
    if user.is_guest:
        limits.count_use(f"listed:guests-{address}", TABLES_AN_HOUR * GUESTS_TOGETHER, 3600)


def count_person(user: User, address: str = "") -> None:
    """Count that this person, or a bot of theirs, blocks or follows somebody, or does so no longer.

    `address` is where the request comes from (`limits.client`), by which guests are counted together; here and below.

    Raises: LimitReached.
    """
    _count(user, "people", PEOPLE_AN_HOUR, address)


def count_seek(user: User) -> None:
    """Count that this person sets, changes or ends a standing seek.

    Raises: LimitReached.
    """
    _count(user, "seeks", SEEKS_AN_HOUR)


def count_group(user: User, address: str = "") -> None:
    """Count that this person joins, makes or changes a group.

    Raises: LimitReached.
    """
    _count(user, "groups", GROUPS_AN_HOUR, address)


def count_channel(user: User, address: str = "") -> None:
    """Count that this person changes the channel of a game or a group, or answers whether it may have their tables.

    Raises: LimitReached.
    """
    _count(user, "channel", CHANNELS_AN_HOUR, address)


def count_channel_test(user: User, address: str = "") -> None:
    """Count a test message that this person sends to the channel of a game.

    Raises: LimitReached.
    """
    _count(user, "channel-test", CHANNEL_TESTS_AN_HOUR, address)


def count_note(user: User, address: str = "") -> None:
    """Count a note that this person saves about a game.

    Raises: LimitReached.
    """
    _count(user, "note", NOTES_AN_HOUR, address)


def count_holiday(user: User, address: str = "") -> None:
    """Count that this person takes a holiday, or chooses whether days are taken by themselves.

    Raises: LimitReached.
    """
    _count(user, "holiday", HOLIDAYS_AN_HOUR, address)


def count_pause(user: User, address: str = "") -> None:
    """Count that this person asks for a pause.

    Raises: LimitReached.
    """
    _count(user, "pause", PAUSES_AN_HOUR, address)


def count_takeback(user: User, address: str = "") -> None:
    """Count that this person takes a move back, or asks for it.

    Raises: LimitReached.
    """
    _count(user, "takeback", TAKEBACKS_AN_HOUR, address)


def count_choice(user: User, address: str = "") -> None:
    """Count that this person takes another seat at a table.

    Raises: LimitReached.
    """
    _count(user, "choose-seat", CHOICES_AN_HOUR, address)


def count_table_change(user: User, address: str = "") -> None:
    """Count that this person changes a table of theirs.

    Raises: LimitReached.
    """
    _count(user, "edit-table", TABLE_CHANGES_AN_HOUR, address)


def count_advice(user: User, address: str = "") -> None:
    """Count that this person asks an engine for good placements.

    Raises: LimitReached.
    """
    _count(user, "advice", ADVICE_AN_HOUR, address)


def count_review(user: User, address: str = "") -> None:
    """Count that this person asks for the review of a game.

    Raises: LimitReached.
    """
    _count(user, "review", REVIEWS_AN_HOUR, address)


def count_gift(user: User, address: str = "") -> None:
    """Count that this person gives another player a day, or tries to.

    Raises: LimitReached.
    """
    _count(user, "gift", GIFTS_AN_HOUR, address)


def count_guardian(user: User) -> None:
    """Count that a guardian changes what a child may do, or how it logs in. No guest is one.

    Raises: LimitReached.
    """
    _count(user, "guardian", CHILDREN_AN_HOUR)


def count_asking(child: User) -> None:
    """Count that a child asks for somebody to play with. No guest is a child's account.

    Raises: LimitReached.
    """
    _count(child, "child-ask", ASKED_AN_HOUR)


def count_report(user: User, address: str = "") -> None:
    """Count that this person reports something.

    Raises: LimitReached.
    """
    _count(user, "reports", REPORTS_AN_HOUR, address)


def count_case_reviews(moderator: User) -> None:
    """Count that this moderator asks for reviews of the games of a person on whom reports wait.

    Raises: LimitReached.
    """
    _count(moderator, "case-reviews", CASE_REVIEWS_AN_HOUR)


def count_comment(user: User) -> None:
    """Count a comment that this person, or a bot of theirs, is about to write in a study; of newcomers, fewer.

    No guest writes there but in studies of their own.

    Raises: LimitReached.
    """
    _count(user, "comments", COMMENTS_AN_HOUR // _newness(user.operator or user))


def count_study_change(user: User) -> None:
    """Count that this person, or a bot of theirs, changes a study otherwise.

    Raises: LimitReached.
    """
    _count(user, "study-changes", STUDIES_AN_HOUR)


def count_variation(user: User) -> None:
    """Count that this person, or a bot of theirs, tries a move in a study, or takes one out again.

    Raises: LimitReached.
    """
    _count(user, "tried", TRIED_AN_HOUR)


def count_line(user: User, audience: Audience = Audience.PLAYERS, address: str = "") -> None:
    """Count a line that this person is about to say at a table, whichever it is; among those who watch, and of
    newcomers, fewer.

    Raises: LimitReached.
    """
    _count(user, "talk", LINES_AT_ONCE, address, LINES_SECONDS)
    _count(user, "talk", LINES_AN_HOUR // _newness(user.operator or user), address)
    if audience == Audience.WATCHERS:
        _count(user, "watching", WATCHERS_LINES_AN_HOUR, address)


def _count(user: User, what: str, limit: int, address: str = "", period: int = 3600) -> None:
    """Count one use of a person's, and where that is a guest one of the guests of the address."""
    limits.count_use(f"{what}:{payer_of(user)}", limit, period)
    if user.is_guest and address:
        limits.count_use(f"{what}:guests-{address}", limit * GUESTS_TOGETHER, period)


def _newness(person: User) -> int:
    """Return how many times fewer lines a person may say for now than one who has been here for long."""
    age = timezone.now() - person.date_joined
    return next((times for young, times in NEWCOMERS if age < young), 1)


@contextmanager
def counting_table(user: User, setup: GameSetup | None = None) -> Iterator[None]:
    """Count a table that the block opens, as `count_table`; what a bot account is refused counts for the bot alone.

    So a program with a fault leaves its operator's tables and invitations to the operator.

    Raises: LimitReached.
    """
    if user.is_bot:
        limits.count_use(f"table-tries:{user.pk}", TRIES_AN_HOUR, 3600)
    count_table(user, setup)
    try:
        yield
    except GameError:
        if user.is_bot:
            _take_table_back(payer_of(user), setup)
        raise


def _take_table_back(payer: int, setup: GameSetup | None) -> None:
    limits.take_back(f"tables:{payer}", 3600)
    for seat in setup.seats if setup else ():
        if seat.kind == "named":
            limits.take_back(f"invitations:{payer}", 3600)
