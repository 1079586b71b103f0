"""The sweep asks again for what was lost, once, and tidies up after workers."""

import random
import threading
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import OperationalError
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from accounts.models import User
from games.management.commands import sweep as command
from games.models import Game, Lease
from games.sweep import Swept, hold_lease, release_lease, sweep
from tests.games.tables import ME, NOON, advance, bot, open_table, running
from tests.games.tasks.workers import jobs, manage, run_jobs, wait_until

pytestmark = pytest.mark.django_db(transaction=True)
NOTHING = Swept(bot_turns=0, emails=0, lost_jobs=0, old_jobs=0)


def after(**span: Any) -> datetime:
    return NOON + timedelta(**span)


def forget_jobs() -> None:
    DBTaskResult.objects.all().delete()


@pytest.fixture
def waits_for_bot(alice: User) -> Game:
    game = open_table(alice, bot(), ME, now=NOON)
    forget_jobs()
    return game


@pytest.fixture
def waits_for_bob(alice: User, bob: User) -> Game:
    game = advance(running(alice, bob), random.Random(1), now=NOON)
    forget_jobs()
    return game


def test_a_lost_bot_turn_is_asked_for_once(waits_for_bot: Game) -> None:
    assert sweep(after(seconds=1)) == NOTHING
    assert sweep(after(seconds=5)).bot_turns == 1
    assert sweep(after(seconds=10)) == NOTHING
    assert jobs() == [("play_bot_turn", [waits_for_bot.pk, 1])]
    run_jobs()
    assert waits_for_bot.moves.count() == 1
    assert sweep(after(days=1)).bot_turns == 0


def test_a_turn_of_a_dead_worker_is_asked_for_again_and_its_job_is_buried(waits_for_bot: Game) -> None:
    sweep(after(seconds=5))
    DBTaskResult.objects.update(status="RUNNING", started_at=after(seconds=5))
    assert sweep(after(seconds=44)) == NOTHING
    assert sweep(after(seconds=46)).bot_turns == 1
    assert sweep(after(minutes=4)).lost_jobs == 1
    assert jobs("FAILED") == [("play_bot_turn", [waits_for_bot.pk, 1])]
    assert jobs("READY") == [("play_bot_turn", [waits_for_bot.pk, 1, 1])]  # and one try has failed


def test_a_failed_job_is_asked_for_again(waits_for_bot: Game) -> None:
    sweep(after(seconds=5))
    DBTaskResult.objects.update(status="FAILED", finished_at=after(seconds=6))
    assert sweep(after(seconds=10)).bot_turns == 1


def test_a_lost_email_is_asked_for_in_a_span_of_time(waits_for_bob: Game) -> None:
    assert sweep(after(seconds=60)) == NOTHING
    assert sweep(after(hours=7)) == NOTHING
    assert sweep(after(minutes=2)).emails == 1
    assert sweep(after(minutes=3)) == NOTHING
    run_jobs()
    assert sweep(after(minutes=4)).emails == 0


@pytest.mark.parametrize("change", [{"email": ""}, {"wants_turn_emails": False}])
def test_who_gets_no_email_is_not_asked_for(waits_for_bob: Game, bob: User, change: dict[str, Any]) -> None:
    type(bob).objects.filter(pk=bob.pk).update(**change)
    assert sweep(after(minutes=2)) == NOTHING


@pytest.mark.parametrize(("status", "minutes"), [("SUCCESSFUL", 60), ("FAILED", 24 * 60)])
def test_jobs_that_are_done_are_dropped_after_an_hour_and_failed_ones_after_a_day(
    alice: User, status: str, minutes: int
) -> None:
    open_table(alice, bot(), ME)
    run_jobs()
    number = DBTaskResult.objects.finished().update(status=status)
    assert number
    assert sweep(timezone.now() + timedelta(minutes=minutes - 1)).old_jobs == 0
    assert sweep(timezone.now() + timedelta(minutes=minutes + 1)).old_jobs == number


def test_one_holder_at_a_time_has_the_lease() -> None:
    assert hold_lease("a", after(seconds=0))
    assert not hold_lease("b", after(seconds=29))
    assert hold_lease("a", after(seconds=29))
    assert not hold_lease("b", after(seconds=58))
    assert hold_lease("b", after(seconds=60))
    assert not hold_lease("a", after(seconds=61))


def test_a_lease_given_back_is_free_at_once() -> None:
    hold_lease("a", NOON)
    release_lease("b", NOON)
    assert not hold_lease("b", NOON)
    release_lease("a", NOON)
    assert hold_lease("b", NOON)


def test_the_command_sweeps_once_and_says_what_it_did(waits_for_bot: Game, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("sweep", once=True)
    assert "bot_turns=1" in capsys.readouterr().out


class Rounds(threading.Event):
    """An event that is set after so many waits."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.left = number

    def wait(self, timeout: float | None = None) -> bool:
        self.left -= 1
        if not self.left:
            self.set()
        return self.is_set()


def test_the_loop_sweeps_while_it_has_the_lease_and_gives_it_back(waits_for_bot: Game) -> None:
    hold_lease("another", timezone.now())
    command.keep_sweeping("me", 5, Rounds(2))
    assert jobs() == []
    release_lease("another", timezone.now())
    command.keep_sweeping("me", 5, Rounds(2))
    assert jobs() == [("play_bot_turn", [waits_for_bot.pk, 1])]
    assert Lease.objects.get().holder == ""


def test_the_process_sweeps_until_it_is_asked_to_end(waits_for_bot: Game) -> None:
    process = manage("sweep", "--every=0.1")
    wait_until(lambda: jobs() == [("play_bot_turn", [waits_for_bot.pk, 1])])
    process.terminate()
    assert process.wait(20) == 0
    assert Lease.objects.get().holder == ""


def test_the_loop_outlives_a_failing_database(
    waits_for_bot: Game, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    failures = [OperationalError("disk I/O error")]
    monkeypatch.setattr(command, "sweep", lambda *at: (_ for _ in ()).throw(failures.pop()) if failures else sweep(*at))
    command.keep_sweeping("me", 5, Rounds(2))
    assert jobs() == [("play_bot_turn", [waits_for_bot.pk, 1])]
    assert "tried again" in caplog.text
