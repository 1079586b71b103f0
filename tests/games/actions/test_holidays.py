"""Holidays are earned, taken in advance or spent where a clock would run out, and every clock follows from them."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from accounts.erasure import close_account
from accounts.models import User
from games import events
from games.actions.kindness.choose_holidays import choose_holidays
from games.actions.kindness.spend_holiday import spend_holiday
from games.actions.kindness.take_holiday import take_holiday
from games.actions.pauses.ask_for_pause import ask_for_pause
from games.background.sweep import sweep
from games.base.access import BotSeat
from games.clock import DAY, HOLIDAYS_A_YEAR, PACES, TimeControl, earned_holidays
from games.errors import BadRequest, NotYourTurn, WrongStatus
from games.models import Game, Holiday, HolidayBook, Notification, Occasion
from games.queries.people.holidays import holidays_of
from games.rules.records import read, write_json
from games.table import records
from tests.games.queries.states import state
from tests.games.tables import NOON, check_audited, due, fresh, place, play_out, running, take_turn

pytestmark = pytest.mark.django_db(transaction=True)

HOUR, A_DAY = timedelta(hours=1), timedelta(days=1)
BY_DAYS = TimeControl.days_a_move(1)
TODAY = NOON.date()
MIDNIGHT = datetime(2026, 3, 2, tzinfo=UTC)


@pytest.fixture
def alice(alice: User) -> User:
    """Return alice, who came a year ago and has earned all that she can."""
    User.objects.filter(pk=alice.pk).update(date_joined=NOON - timedelta(days=400), time_zone="UTC")
    return User.objects.get(pk=alice.pk)


@pytest.fixture
def duel(alice: User, bob: User) -> Game:
    """Return a game in which both have moved, and alice has a day for her next move."""
    return play_out(running(alice, bob, time=BY_DAYS), turns=2)


def days(number: int, *, after: int = 0) -> tuple[date, date]:
    """Return the first and the last day of a holiday of so many days."""
    first = TODAY + timedelta(days=after)
    return first, first + timedelta(days=number - 1)


def left(user: User, now: datetime = NOON) -> float:
    return holidays_of(user, now).seconds / DAY


def test_holidays_are_earned_day_by_day_and_not_beyond_those_of_a_year() -> None:
    assert earned_holidays(0, NOON, NOON + timedelta(days=365)) == HOLIDAYS_A_YEAR == 21 * DAY
    assert earned_holidays(0, NOON, NOON + timedelta(days=73)) == HOLIDAYS_A_YEAR // 5
    assert earned_holidays(20 * DAY, NOON, NOON + timedelta(days=300)) == HOLIDAYS_A_YEAR
    assert earned_holidays(5, NOON, NOON - A_DAY) == 5


def test_a_holiday_lets_the_clock_stand_still(duel: Game, alice: User, heard: list[events.GameEvent]) -> None:
    heard.clear()
    take_holiday(alice, *days(3, after=1), now=NOON)
    game = fresh(duel)
    assert game.deadline == NOON + 4 * A_DAY
    assert (game.version, game.move_count) == (duel.version + 1, duel.move_count)
    assert [type(event) for event in heard] == [events.HolidayTaken]
    assert left(alice) == 18
    check_audited(duel)
    turn = state(duel, alice, MIDNIGHT + HOUR).turn
    assert turn is not None
    assert (turn.still_until, turn.is_holiday, turn.is_weekend) == (MIDNIGHT + 3 * A_DAY, True, False)


def test_a_turn_that_begins_in_a_holiday_runs_from_its_end(duel: Game, alice: User, bob: User) -> None:
    take_turn(duel)
    take_holiday(alice, *days(2), now=NOON)
    assert fresh(duel).deadline == NOON + A_DAY, "it is bob's turn"
    take_turn(duel, now=NOON + HOUR)
    assert fresh(duel).deadline == MIDNIGHT + 2 * A_DAY
    check_audited(duel)


def test_one_may_play_on_holiday_and_moves_of_before_stay_as_they_were(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob, time=TimeControl(DAY, 3600, 10 * DAY)), turns=1)
    game = take_turn(take_turn(game, now=NOON + 2 * HOUR), now=NOON + 3 * HOUR)
    take_holiday(alice, *days(5), now=NOON + 4 * HOUR)
    for hour in (30, 31, 32):
        take_turn(game, now=NOON + hour * HOUR)
    check_audited(game)


def test_games_that_begin_in_a_holiday_know_it(alice: User, bob: User) -> None:
    take_holiday(alice, *days(3), now=NOON)
    game = running(alice, bob, time=BY_DAYS, now=NOON + HOUR)
    assert fresh(game).deadline == MIDNIGHT + 3 * A_DAY
    check_audited(game)


def test_games_of_short_clocks_and_without_any_take_no_notice(alice: User, bob: User) -> None:
    games = [running(alice, bob, time=PACES["evening"]), running(alice, bob)]
    before = [game.deadline for game in games]
    take_holiday(alice, *days(3), now=NOON)
    assert [(fresh(game).deadline, fresh(game).version) for game in games] == [
        (deadline, game.version) for deadline, game in zip(before, games, strict=True)
    ]


@pytest.mark.parametrize(
    ("first", "last", "code"),
    [(-1, 1, "first"), (400, 400, "first"), (2, 1, "last"), (10, 50, "not-earned"), (5, 6, "overlap")],
)
def test_what_makes_no_sense_or_is_not_earned_is_refused(alice: User, first: int, last: int, code: str) -> None:
    take_holiday(alice, *days(2, after=5), now=NOON)
    span = [TODAY + timedelta(days=number) for number in (first, last)]
    with pytest.raises((BadRequest, WrongStatus)) as refused:
        take_holiday(alice, *span, now=NOON)
    assert code in (refused.value.code, getattr(refused.value, "field", ""))
    assert (Holiday.objects.count(), left(alice)) == (1, 19)


def test_who_has_just_come_has_earned_nothing_yet(bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(date_joined=NOON)
    with pytest.raises(WrongStatus) as refused:
        take_holiday(User.objects.get(pk=bob.pk), *days(1, after=1), now=NOON)
    assert refused.value.code == "not-earned"


def test_a_day_is_spent_where_the_time_runs_out(duel: Game, alice: User, bob: User) -> None:
    choose_holidays(alice, spends_itself=True, now=NOON)
    late = NOON + A_DAY + HOUR
    assert sweep(late).timeouts == 0
    game = fresh(duel)
    assert (game.status, game.deadline) == ("running", NOON + 2 * A_DAY)
    assert Notification.objects.get(occasion=Occasion.HOLIDAY).user == alice
    assert round(left(alice, late), 1) == 20
    check_audited(duel)
    sweep(NOON + 2 * A_DAY)
    assert fresh(duel).deadline == NOON + 3 * A_DAY
    take_turn(duel, now=NOON + 2 * A_DAY + HOUR)
    check_audited(duel)


def test_after_an_outage_as_many_days_are_spent_as_help_and_none_where_none_would(duel: Game, alice: User) -> None:
    choose_holidays(alice, spends_itself=True, now=NOON)
    assert spend_holiday(duel.slug, number=due(duel), now=NOON + 3 * A_DAY + HOUR)
    assert fresh(duel).deadline == NOON + 4 * A_DAY
    check_audited(duel)
    assert not spend_holiday(duel.slug, number=due(duel), now=NOON + 60 * A_DAY)
    assert sweep(NOON + 60 * A_DAY).timeouts == 1


def test_what_is_spent_before_a_holiday_ends_where_that_begins(duel: Game, alice: User) -> None:
    choose_holidays(alice, spends_itself=True, now=NOON)
    take_holiday(alice, *days(2, after=2), now=NOON)
    late = NOON + A_DAY + HOUR
    before = left(alice, late)
    assert spend_holiday(duel.slug, number=due(duel), now=late)
    spent, planned = Holiday.objects.order_by("begins_at")
    assert (spent.begins_at, spent.ends_at) == (NOON + A_DAY - timedelta(minutes=1), planned.begins_at)
    assert round((before - left(alice, late)) * DAY) == 12 * 3600 + 60
    assert fresh(duel).deadline == planned.ends_at + timedelta(minutes=1)
    check_audited(duel)


def test_an_outage_that_reaches_into_a_holiday_is_bridged_to_where_that_begins(duel: Game, alice: User) -> None:
    choose_holidays(alice, spends_itself=True, now=NOON)
    take_holiday(alice, *days(2, after=3), now=NOON)
    late = MIDNIGHT + 2 * A_DAY + HOUR
    assert spend_holiday(duel.slug, number=due(duel), now=late)
    spent, planned = Holiday.objects.order_by("begins_at")
    assert (spent.ends_at, planned.begins_at) == (MIDNIGHT + 2 * A_DAY, MIDNIGHT + 2 * A_DAY)
    assert fresh(duel).deadline == planned.ends_at + timedelta(minutes=1)
    check_audited(duel)


def test_nothing_is_spent_without_wish_or_day_nor_before_the_time_is_up(duel: Game, alice: User) -> None:
    late = NOON + A_DAY
    assert not spend_holiday(duel.slug, number=due(duel), now=late)
    choose_holidays(alice, spends_itself=True, now=NOON)
    assert not spend_holiday(duel.slug, number=due(duel), now=late - HOUR)
    assert not spend_holiday(duel.slug, number=due(duel) + 1, now=late)
    HolidayBook.objects.update(seconds=3600, counted_at=late)
    assert not spend_holiday(duel.slug, number=due(duel), now=late)
    assert sweep(late).timeouts == 1


def test_no_bot_plays_a_turn_for_which_a_day_was_spent(alice: User, bob: User, carol: User) -> None:
    game = running(alice, bob, carol, variant="blockyou-3", time=BY_DAYS)
    choose_holidays(alice, spends_itself=True, now=NOON)
    sweep(NOON + A_DAY)
    with pytest.raises(NotYourTurn):
        place(game, "1:a1", BotSeat(game.pk, 0), now=NOON + A_DAY + HOUR, key="bot-turn-1")
    check_audited(game)


def test_a_spent_day_counts_in_all_games_of_its_player(duel: Game, alice: User, carol: User) -> None:
    other = running(alice, carol, time=TimeControl.days_a_move(3))
    choose_holidays(alice, spends_itself=True, now=NOON)
    sweep(NOON + A_DAY)
    assert fresh(other).deadline == NOON + 4 * A_DAY
    check_audited(other)


def test_a_pause_and_a_holiday_at_once_count_once(duel: Game, alice: User, bob: User) -> None:
    take_holiday(alice, *days(2, after=1), now=NOON)
    for user in (alice, bob):
        ask_for_pause(user, duel.slug, pause_version=0, now=MIDNIGHT + HOUR)
    check_audited(duel)
    turn = state(duel, alice, MIDNIGHT + A_DAY).turn
    assert turn is not None
    assert turn.seconds == 12 * 3600


def test_a_closed_account_leaves_no_holidays_behind(duel: Game, alice: User) -> None:
    take_holiday(alice, *days(2), now=NOON)
    close_account(alice)
    assert (Holiday.objects.count(), HolidayBook.objects.count()) == (0, 0)
    check_audited(duel)


def test_the_record_says_it(duel: Game, alice: User) -> None:
    take_holiday(alice, *days(1, after=1), now=NOON)
    record: Any = records.game_record(alice, duel.slug)
    assert record.holidays == ((0, "2026-03-02T00:00:00.000Z", "2026-03-03T00:00:00.000Z"),)
    assert read(write_json(record)) == record
