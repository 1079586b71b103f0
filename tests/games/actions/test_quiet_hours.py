"""Quiet hours and weekends in a game: its deadline, its clocks, its audit, and what a change of them does."""

import random
from datetime import UTC, datetime, time, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.erasure import close_account
from accounts.models import User
from accounts.readers import zones
from games.actions.moves.resign import resign
from games.actions.moves.time_out import time_out
from games.actions.notices.keep_quiet_hours import keep_quiet_hours
from games.actions.tables.open_rematch import open_rematch
from games.audit import checks as audit
from games.clock import DAY, PACES, TimeControl
from games.models import Game, Player
from games.queries.tables.turns import late_turns
from tests.games.tables import advance, fresh, running

#: Friday.
NOON = datetime(2026, 3, 6, 12, tzinfo=UTC)
ADAY = TimeControl.days_a_move(1)
HOUR = timedelta(hours=1)


def hush(user: User, begins: int = 23, ends: int = 7, zone: str = "Europe/Paris", at: datetime = NOON) -> None:
    """Give a person quiet hours, and their games."""
    user.quiet_from, user.quiet_until, user.time_zone = time(begins), time(ends), zone
    user.save()
    keep_quiet_hours(user.pk, now=at)


def move(game: Game, now: datetime) -> Game:
    return advance(fresh(game), random.Random(1), now=now)


def deadline(game: Game) -> datetime:
    found = fresh(game).deadline
    assert found is not None
    return found


def test_a_turn_lasts_longer_by_the_quiet_hours_of_its_player(alice: User, bob: User) -> None:
    hush(bob)
    game = running(alice, bob, now=NOON, time=ADAY)
    assert deadline(game) == NOON + 24 * HOUR
    assert deadline(move(game, NOON + HOUR)) == NOON + 33 * HOUR


def test_no_turn_is_ended_while_its_clock_stands_still(alice: User, bob: User) -> None:
    hush(alice)
    game = running(alice, bob, now=NOON, time=ADAY)
    early = NOON + 32 * HOUR - timedelta.resolution
    assert (late_turns(early), time_out(game.slug, number=1, now=early)) == ([], None)
    assert [turn.slug for turn in late_turns(NOON + 32 * HOUR)] == [game.slug]
    assert time_out(game.slug, number=1, now=NOON + 32 * HOUR) is not None


def test_time_that_a_clock_stood_still_is_not_taken_from_it(alice: User, bob: User) -> None:
    hush(alice)
    game = running(alice, bob, now=NOON, time=PACES["slow"])
    move(game, NOON + 20 * HOUR)
    assert Player.objects.get(game=game, seat=0).clock == 9 * DAY - 12 * 3600


def test_at_weekends_the_clocks_of_a_table_that_says_so_stand_still_in_the_zone_of_each_player(
    alice: User, bob: User
) -> None:
    User.objects.filter(pk=bob.pk).update(time_zone="Asia/Tokyo")
    game = running(alice, bob, now=NOON, time=TimeControl(DAY, DAY, DAY, rests_weekends=True))
    assert deadline(game) == NOON + 72 * HOUR
    assert deadline(move(game, NOON + HOUR)) == NOON + 73 * HOUR
    # In Tokyo the weekend begins and ends nine hours earlier than here.
    with_bob = running(alice, bob, now=NOON + 4 * HOUR, time=TimeControl(DAY, DAY, DAY, rests_weekends=True))
    assert deadline(move(with_bob, NOON + 5 * HOUR)) == datetime(2026, 3, 9, 15, tzinfo=UTC)
    assert list(audit.faults(fresh(with_bob))) == []


@pytest.mark.parametrize("pace", PACES)
def test_clocks_and_deadlines_with_quiet_hours_follow_from_what_is_recorded(pace: str, alice: User, bob: User) -> None:
    hush(alice)
    game, now = running(alice, bob, now=NOON, time=PACES[pace]), NOON
    for turn in range(6):
        now += 5 * HOUR
        if turn % 2:
            hush(alice, 20 + turn % 3, 4, "America/New_York", now)
            hush(bob, turn, turn + 8, "Australia/Lord_Howe", now)
        move(game, now)
        assert list(audit.faults(fresh(game))) == []
    assert bool(Player.objects.get(game=game, seat=1).quiet_hours) is (pace != "evening")


def test_in_a_game_of_one_evening_clocks_go_on(alice: User, bob: User) -> None:
    hush(alice, 8, 17)
    game = running(alice, bob, now=NOON, time=TimeControl(900, 300, 3600, rests_weekends=True))
    assert deadline(game) == NOON + timedelta(minutes=15)
    assert not game.rests_weekends


def test_a_change_counts_from_the_next_turn_on(alice: User, bob: User) -> None:
    hush(alice)
    game = running(alice, bob, now=NOON, time=ADAY)
    promised = deadline(game)
    # By a server whose clock is behind, too.
    hush(alice, 0, 1, "Asia/Tokyo", NOON - timedelta(seconds=5))
    assert deadline(game) == promised
    assert list(audit.faults(fresh(game))) == []
    move(move(game, NOON + HOUR), NOON + 2 * HOUR)
    assert deadline(game) == NOON + 27 * HOUR


def test_the_first_quiet_hours_leave_the_running_turn_its_weekend(alice: User, bob: User) -> None:
    game = running(alice, bob, now=NOON, time=TimeControl(DAY, DAY, DAY, rests_weekends=True))
    hush(alice, zone="Asia/Tokyo", at=NOON + HOUR)
    assert deadline(game) == NOON + 72 * HOUR
    assert list(audit.faults(fresh(game))) == []


def test_what_is_changed_back_within_a_turn_leaves_nothing(alice: User, bob: User) -> None:
    hush(alice)
    game = running(alice, bob, now=NOON, time=ADAY)
    hush(alice, 1, 2)
    hush(alice)
    assert Player.objects.get(game=game, seat=0).quiet_hours == [[None, "Europe/Paris", 23 * 60, 7 * 60]]


def test_a_resignation_of_another_seat_leaves_the_running_turn_its_deadline(
    alice: User, bob: User, carol: User
) -> None:
    hush(alice)
    game = running(alice, bob, carol, now=NOON, time=ADAY)
    promised = deadline(game)
    hush(alice, 1, 2, at=NOON + HOUR)
    resign(carol, game.slug, key="carol-resigns", now=NOON + 2 * HOUR)
    assert deadline(game) == promised
    assert list(audit.faults(fresh(game))) == []


def test_a_zone_that_the_browser_guesses_moves_the_quiet_hours_too(alice: User, bob: User) -> None:
    hush(alice, zone="")
    game = running(alice, bob, now=NOON, time=ADAY)
    assert Player.objects.get(game=game, seat=0).quiet_hours == [[None, "UTC", 23 * 60, 7 * 60]]
    zones.save_guess(alice, "Asia/Tokyo")
    assert Player.objects.get(game=game, seat=0).quiet_hours[-1][1:] == ["Asia/Tokyo", 23 * 60, 7 * 60]


def test_a_rematch_keeps_the_weekends(alice: User, bob: User) -> None:
    game = running(alice, bob, now=NOON, time=TimeControl(DAY, DAY, DAY, rests_weekends=True))
    move(move(game, NOON), NOON)
    resign(alice, game.slug, key="alice-resigns", now=NOON)
    assert open_rematch(alice, game.slug, now=NOON).rests_weekends


def test_a_change_touches_no_finished_game_and_costs_two_queries_for_a_running_one(alice: User, bob: User) -> None:
    games = [running(alice, bob, now=NOON, time=ADAY) for _ in range(3)]
    resign(alice, games[0].slug, key="alice-resigns", now=NOON)
    hush(alice, 2, 3)
    noted = [bool(Player.objects.get(game=game, seat=0).quiet_hours) for game in games]
    assert noted == [False, True, True]
    with CaptureQueriesContext(connection) as queries:
        keep_quiet_hours(alice.pk, now=NOON)
    assert len(queries) <= 3 + 2 * 2


def test_a_closed_account_keeps_no_quiet_hours(alice: User) -> None:
    hush(alice)
    close_account(alice)
    alice.refresh_from_db()
    assert (alice.quiet_from, alice.quiet_until) == (None, None)
