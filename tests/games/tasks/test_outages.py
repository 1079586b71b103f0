"""D7: who could not move because the site was away is not timed out for it."""

from datetime import datetime, timedelta

import pytest

from accounts.models import User
from games.background.sweep import hold_lease, release_lease, sweep
from games.clock import TimeControl
from games.models import Game, Status
from tests.games.tables import NOON, fresh, play_out, running

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def duel(alice: User, bob: User) -> Game:
    """Return a duel in which a player has until noon of the next day."""
    return play_out(running(alice, bob, time=TimeControl.days_a_move(1)), turns=2)


def after(**time: float) -> datetime:
    return NOON + timedelta(**time)


def swept(now: datetime) -> int:
    """Have a process hold the lease and sweep; return how many turns it ended."""
    assert hold_lease("a process", now)
    return sweep(now).timeouts


def test_after_an_outage_no_turn_is_ended_for_as_long_as_it_lasted(duel: Game) -> None:
    swept(after(hours=23))
    release_lease("a process", after(hours=23))
    for minutes in range(0, 120, 4):
        assert swept(after(hours=25, minutes=minutes)) == 0
    assert fresh(duel).status == Status.RUNNING


def test_then_it_is_ended(duel: Game) -> None:
    swept(after(hours=23))
    release_lease("a process", after(hours=23))
    now = after(hours=25)
    while swept(now) == 0:
        now += timedelta(minutes=4)
    assert timedelta(hours=2) <= now - after(hours=25) <= timedelta(hours=2, minutes=4)
    assert fresh(duel).status == Status.FINISHED


def test_a_process_that_is_killed_leaves_its_lease_and_is_away_from_its_end(duel: Game) -> None:
    swept(after(hours=22))
    assert swept(after(hours=24, minutes=1)) == 0


def test_a_short_restart_gives_no_one_more_time(duel: Game) -> None:
    swept(after(hours=23, minutes=57))
    release_lease("a process", after(hours=23, minutes=57))
    assert swept(after(hours=24)) == 1


def test_the_first_sweep_of_a_site_is_no_return_from_an_outage(duel: Game) -> None:
    assert swept(after(hours=24)) == 1


@pytest.mark.proof
def test_a_site_that_was_away_for_weeks_waits_for_a_day(duel: Game) -> None:
    swept(after(hours=1))
    now = after(days=30)
    while swept(now) == 0:
        now += timedelta(minutes=4)
    assert timedelta(days=1) <= now - after(days=30) <= timedelta(days=1, minutes=4)
