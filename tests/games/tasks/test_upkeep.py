"""Old rows go, a lot at a time, and nothing else does."""

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.database import lots
from accounts.erasure import close_account
from accounts.guests import create_guest
from accounts.models import Presence, Session, User
from games.actions.analysis.extend_branch import extend_branch
from games.actions.groups.create_group import create_group
from games.actions.groups.join_group import join_group
from games.actions.groups.leave_group import leave_group
from games.actions.moderation.report_player import report_player
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.join_game import join_game
from games.actions.tables.leave_game import leave_game
from games.audit.counts import drifts
from games.background import upkeep
from games.background.upkeep import Tidied, Upkeep, gather_statistics
from games.base import positions
from games.management.commands import sweep as command
from games.models import (
    Advice,
    Analysis,
    Game,
    Group,
    ListVersion,
    Membership,
    Notice,
    Notification,
    Player,
    PlayerReport,
    PushSubscription,
    Reaction,
    Status,
    TalkMessage,
    WebhookNotice,
)
from tests.conftest import LogIn
from tests.games.notifications.push_service import Device
from tests.games.tables import ME, OPEN, bot, fresh, open_table, play_out, running
from tests.plans import tables_read_whole

pytestmark = pytest.mark.django_db
NOW = timezone.now()
DAY = timedelta(days=1)


def tidied() -> Tidied:
    return Upkeep().tidy(NOW)


def guest(days: float = 31) -> User:
    """Return a guest who came so many days ago."""
    made = create_guest()
    User.objects.filter(pk=made.pk).update(date_joined=NOW - days * DAY)
    return made


def test_nothing_is_touched_when_nothing_is_due(alice: User, bob: User, log_in: LogIn) -> None:
    log_in(alice)
    running(alice, bob)
    open_table(alice, ME, OPEN, now=NOW)
    assert tidied() == Tidied()


def test_expired_sessions_go_and_others_stay(alice: User, log_in: LogIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upkeep, "ROWS_AT_ONCE", 2)
    for _ in range(4):
        log_in(alice)
    old = Session.objects.values_list("pk", flat=True)[:3]
    Session.objects.filter(pk__in=list(old)).update(expire_date=NOW - DAY)
    assert [tidied().sessions for _ in range(3)] == [2, 1, 0]
    assert Session.objects.count() == 1


def test_guests_who_left_nothing_behind_go_after_a_month(alice: User, log_in: LogIn) -> None:
    gone, recent, back = guest(), guest(29), guest()
    log_in(back)
    left = guest()
    leave_game(left, join_game(left, open_table(alice, ME, OPEN, OPEN, now=NOW).slug).slug)
    assert ListVersion.objects.filter(owner=left.pk).exists()
    assert tidied().guests == 2
    assert set(User.objects.filter(is_guest=True)) == {recent, back}
    assert not ListVersion.objects.filter(owner__in=[gone.pk, left.pk]).exists()


def test_a_session_that_was_not_used_for_a_month_keeps_no_guest(log_in: LogIn) -> None:
    log_in(guest())
    Session.objects.update(expire_date=NOW + timedelta(days=330))
    assert tidied().guests == 1
    assert not Session.objects.exists()


def test_guests_with_a_seat_or_a_table_stay_and_so_do_members(alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(date_joined=NOW - 99 * DAY)
    open_table(guest(), ME, bot())
    open_table(guest(), bot(), bot())
    join_game(guest(), open_table(alice, ME, OPEN, OPEN, now=NOW).slug, now=NOW)
    before = list(Player.objects.values())
    assert tidied().guests == 0
    assert list(Player.objects.values()) == before


def test_the_rows_of_closed_guests_stay_as_those_of_all_closed_accounts() -> None:
    gone = guest()
    close_account(gone)
    assert tidied().guests == 0
    assert User.objects.filter(pk=gone.pk).exists()


def test_guests_stay_who_have_reported_somebody_or_keep_branches_of_a_game(alice: User, bob: User) -> None:
    over = play_out(running(alice, bob), 1)
    report_player(guest(), "bob", reason="insult", now=NOW)
    extend_branch(guest(), over.slug, move=str(next(iter(positions.position_of(over, []).legal_placements()))), after=0)
    assert tidied().guests == 0
    assert PlayerReport.objects.count() == Analysis.objects.count() == 1


def test_a_guest_who_owns_a_group_stays_and_one_who_belongs_to_one_leaves_it(alice: User, bob: User) -> None:
    inherited, kept = create_group(alice, "Alone"), create_group(bob, "Kept")
    heir = guest()
    for group in (inherited, kept):
        join_group(heir, group.invite_token)
    join_group(guest(), kept.invite_token)
    leave_group(alice, inherited.slug)
    assert tidied().guests == 1
    assert Group.objects.get(pk=inherited.pk).owner == heir
    assert set(Membership.objects.filter(group=kept).values_list("person", flat=True)) == {bob.pk, heir.pk}


def test_guests_are_looked_at_a_lot_at_a_time_and_then_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upkeep, "ROWS_AT_ONCE", 2)
    kept = [guest(1) for _ in range(3)]
    gone = guest()
    rounds = Upkeep()
    assert [rounds.tidy(NOW).guests for _ in range(4)] == [0, 1, 0, 0]
    assert list(User.objects.order_by("pk")) == kept
    assert not User.objects.filter(pk=gone.pk).exists()


def fill(alice: User, bob: User) -> None:
    """Store seven rows of every kind that a round deletes or changes, each of which is due."""
    game = play_out(running(alice, bob, now=NOW - 99 * DAY), now=NOW - 99 * DAY)
    seat, move = game.players.get(seat=0), game.moves.earliest("number")
    old = NOW - 31 * DAY
    Notification.objects.all().delete()
    for number in range(7):
        gone = guest(400)
        Session.objects.create(session_key=f"key-{number}", user_id=gone.pk, expire_date=NOW - DAY)
        person = User.objects.create_user(f"Person-{'abcdefg'[number]}")
        Presence.objects.create(person=person, seen_at=NOW - 2 * DAY)
        Notice.objects.create(player=seat, number=99 + number, created_at=old)
        Advice.objects.create(player=running(alice, bob).players.get(seat=0), number=1, asked_at=old)
        Notification.objects.create(
            user=person, game=game, occasion="over", event=number, is_due=False, is_listed=True, created_at=old
        )
        about = {"token": "a test", "address": "https://bots.example.org/"}
        WebhookNotice.objects.create(user=person, owner=person, created_at=old, **about)
        table = open_table(person, ME, OPEN, now=NOW - 20 * DAY)
        cancel_game(person, table.slug)
        TalkMessage.objects.create(game=game, author=alice, text="Well played", created_at=old)
        Reaction.objects.create(move=move, author=person, word="nice", given_at=old)
        PlayerReport.objects.create(
            reporter=person, person=alice, kind="name", reason="insult", thing="player-1", gravity=1, trust=1,
            made_at=NOW - 400 * DAY, closed_at=NOW - 399 * DAY,
        )  # fmt: skip
        PushSubscription.objects.create(
            user=person,
            session_key=f"none-{number}",
            created_at=old,
            **Device(f"https://push.example.org/{number}").form,
        )
    Notification.objects.filter(created_at__gt=old).delete()
    Game.objects.filter(status=Status.CANCELLED).update(dropped_at=NOW - DAY)


#: What a round comes to where seven rows of every kind are due. A guest whose session has ended is counted besides.
SEVEN = {
    **dict.fromkeys(("sessions", "guests", "notices", "advice", "devices", "cancelled"), 7),
    **dict.fromkeys(("messages", "visits", "reactions", "reports"), 7),
    # Of people and of webhooks.
    "notifications": 14,
}


class Changing:
    """Notes how many rows each statement has changed, and at the `dies_at`th of a table breaks off."""

    def __init__(self, table: str = "", dies_at: int = 0) -> None:
        self.table, self.left, self.changed = table, dies_at, list[tuple[int, str]]()

    def __call__(self, execute: Any, statement: str, values: Any, many: bool, context: Any) -> Any:
        is_change = statement.startswith(("DELETE", "UPDATE"))
        if is_change and statement.split('"')[1] == self.table:
            self.left -= 1
            if not self.left:
                raise RuntimeError("killed")
        answer = execute(statement, values, many, context)
        if is_change:
            self.changed.append((context["cursor"].rowcount, statement))
        return answer


def test_no_statement_of_a_round_takes_more_than_a_lot(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lots, "ROWS_A_TRANSACTION", 3)
    fill(alice, bob)
    watch = Changing()
    with connection.execute_wrapper(watch):
        done = tidied()
    assert {name: number for name, number in vars(done).items() if number} == SEVEN
    # A table takes its seats along.
    assert {most for most, statement in watch.changed if "games_player" not in statement} <= {0, 1, 2, 3}
    assert tidied() == Tidied()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("table", "dies_at"),
    [
        ("accounts_session", 2),
        ("accounts_user", 2),
        ("games_game", 2),
        # A guest's go with the guest before, three lots of them.
        ("accounts_presence", 5),
        ("games_notification", 8),
        ("games_webhooknotice", 8),
        ("games_talkmessage", 8),
    ],
)
def test_a_round_that_breaks_off_leaves_all_whole_and_the_next_goes_on(
    table: str, dies_at: int, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lots, "ROWS_A_TRANSACTION", 3)
    fill(alice, bob)
    rounds = Upkeep()
    with connection.execute_wrapper(Changing(table, dies_at)), pytest.raises(RuntimeError, match="killed"):
        rounds.tidy(NOW)
    assert list(drifts()) == []
    Upkeep().tidy(NOW)
    # What was left of all kinds is gone now: where a round has begun in the middle, the next begins at the first again.
    assert tidied() == Tidied()
    assert list(drifts()) == []


@pytest.mark.parametrize(("days", "number"), [(29, 0), (31, 1)])
def test_notices_and_advice_go_after_a_month(days: int, number: int, alice: User, bob: User) -> None:
    player = running(alice, bob).players.get(seat=0)
    Notice.objects.create(player=player, number=1, created_at=NOW - days * DAY)
    Advice.objects.create(player=player, number=1, asked_at=NOW - days * DAY)
    found = tidied()
    assert (found.notices, found.advice) == (number, number)
    assert (Notice.objects.count(), Advice.objects.count()) == (1 - number, 1 - number)


@pytest.mark.parametrize(("days", "number"), [(29, 0), (31, 1)])
def test_notices_go_after_a_month_and_are_not_counted_any_more(days: int, number: int, alice: User, bob: User) -> None:
    about = {"user": alice, "game": running(alice, bob), "occasion": "over", "is_due": False, "is_listed": True}
    Notification.objects.create(created_at=NOW - days * DAY, event=1, **about)
    Notification.objects.create(created_at=NOW, event=2, **about)
    User.objects.filter(pk=alice.pk).update(unread_notices=2)
    assert tidied().notifications == number
    assert User.objects.get(pk=alice.pk).unread_notices == 2 - number


@pytest.mark.parametrize(("days", "number"), [(29, 0), (31, 1)])
def test_notices_of_webhooks_go_after_a_month_too(days: int, number: int, alice: User) -> None:
    about = {"user": alice, "owner": alice, "token": "a test", "address": "https://bots.example.org/"}
    for made in (NOW - days * DAY, NOW):
        WebhookNotice.objects.create(created_at=made, **about)
    User.objects.filter(pk=alice.pk).update(unread_notices=2)
    assert tidied().notifications == number
    assert User.objects.get(pk=alice.pk).unread_notices == 2 - number


@pytest.mark.parametrize(("days", "number"), [(6, 0), (8, 1)])
def test_a_table_that_was_cancelled_goes_after_a_week(days: int, number: int, alice: User, bob: User) -> None:
    others = open_table(alice, ME, OPEN, now=NOW), running(alice, bob)
    table = open_table(alice, ME, OPEN, OPEN, OPEN, now=NOW)
    leave_game(bob, join_game(bob, table.slug).slug)
    Notification.objects.all().delete()
    cancel_game(alice, table.slug)
    assert Upkeep().tidy(NOW + days * DAY).cancelled == number
    assert {*Game.objects.values_list("pk", flat=True)} == {
        *(game.pk for game in others),
        *[table.pk] * (1 - number),
    }


def test_a_cancelled_table_stays_while_a_notice_speaks_of_it(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "ROWS_AT_ONCE", 1)
    told, untold = (open_table(alice, ME, OPEN, OPEN, OPEN, now=NOW) for _ in range(2))
    join_game(bob, told.slug)
    for table in (told, untold):
        cancel_game(alice, table.slug)
    assert [Upkeep().tidy(NOW + 8 * DAY).cancelled for _ in range(2)] == [0, 1]
    assert [*Game.objects.all()] == [told]
    Notification.objects.all().delete()
    assert [Upkeep().tidy(NOW + days * DAY).cancelled for days in (37, 39)] == [0, 1]


def test_no_table_is_read_whole(alice: User, bob: User) -> None:
    guest()
    cancel_game(alice, open_table(alice, ME, OPEN, now=NOW).slug)
    Game.objects.filter(status=Status.CANCELLED).update(dropped_at=NOW)
    running(alice, bob)
    # Notices are read from the oldest on, and only if that is due.
    large = ["games_game", "games_player", "games_advice", "games_study", "accounts_session", "accounts_user"]
    assert tables_read_whole(tidied, large) == {}


def test_a_round_is_done_once_a_minute() -> None:
    rounds = Upkeep()
    guest()
    assert rounds.tidy_if_due(NOW).guests == 1
    guest()
    assert rounds.tidy_if_due(NOW + timedelta(seconds=50)) == Tidied()
    assert rounds.tidy_if_due(NOW + timedelta(seconds=70)).guests == 1


def known_tables() -> set[str]:
    """Return the tables of which SQLite knows how they are filled."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT DISTINCT tbl FROM sqlite_stat1")
        return {table for (table,) in cursor.fetchall()}


def test_sqlite_learns_how_its_tables_are_filled_and_postgresql_is_left_alone(alice: User, bob: User) -> None:
    running(alice, bob)
    with CaptureQueriesContext(connection) as queries:
        gather_statistics()
    assert bool(queries.captured_queries) is (connection.vendor == "sqlite")
    assert connection.vendor != "sqlite" or {"games_game", "games_player"} <= known_tables()


class OneRound(threading.Event):
    """An event that is set after one wait."""

    def wait(self, timeout: float | None = None) -> bool:
        self.set()
        return True


@pytest.mark.django_db(transaction=True)
def test_the_sweep_closes_tables(alice: User, caplog: pytest.LogCaptureFixture) -> None:
    table = open_table(alice, ME, OPEN, now=NOW - 15 * DAY)
    with caplog.at_level("INFO"):
        command.keep_sweeping("me", 5, OneRound())
    assert fresh(table).status == Status.CANCELLED
    assert "Tidied(tables=1" in caplog.text
