"""The sweep asks again for what was lost, once, and tidies up after workers."""

import random
import threading
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import OperationalError
from django.utils import timezone

from accounts.models import User
from games.background.sweep import Swept, hold_lease, release_lease, sweep
from games.background.worker import JobWorker
from games.jobs import JobState, find_jobs, run_job
from games.jobs.process import LONGEST_PULSE, PULSE_EVERY, Pulse
from games.management.commands import sweep as command
from games.models import Game, Lease, Status
from tests.games.tables import ME, NOON, advance, bot, fresh, open_table, running
from tests.games.tasks.workers import end_as, forget_jobs, jobs, make_failed, make_running, manage, run_jobs, wait_until

pytestmark = pytest.mark.django_db(transaction=True)
NOTHING = Swept(bot_turns=0, notices=0, lost_jobs=0, old_jobs=0)


def after(**span: Any) -> datetime:
    return NOON + timedelta(**span)


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


def test_a_turn_of_a_dead_worker_is_asked_for_again_and_its_job_has_failed(waits_for_bot: Game) -> None:
    sweep(after(seconds=5))
    make_running(since=after(seconds=5))
    assert sweep(after(seconds=44)) == NOTHING
    assert sweep(after(seconds=46)).bot_turns == 1
    assert sweep(after(minutes=4)).lost_jobs == 1
    assert jobs("FAILED") == [("play_bot_turn", [waits_for_bot.pk, 1])]
    assert jobs("READY") == [("play_bot_turn", [waits_for_bot.pk, 1, 1])]  # and one try has failed


def test_a_turn_of_a_worker_that_says_that_it_is_alive_is_left_to_it(waits_for_bot: Game) -> None:
    sweep(after(seconds=5))
    clock = [after(seconds=5)]
    worker = JobWorker("busy")
    worker.pulse = Pulse(lambda: clock[0])
    job = worker.take()
    assert job
    make_running(since=clock[0])
    worker.pulse.take(job)
    while clock[0] < after(minutes=5):
        clock[0] += PULSE_EVERY
        worker.pulse.beat()
        assert sweep(clock[0] + PULSE_EVERY) == NOTHING
    worker.pulse.let_go(job)
    worker.pulse.beat()
    assert sweep(clock[0] + timedelta(seconds=41)).bot_turns == 1


def test_a_job_that_hangs_is_asked_for_again_however_often_its_worker_says_that_it_is_alive(
    waits_for_bot: Game,
) -> None:
    sweep(after(seconds=5))
    clock = [after(seconds=5)]
    pulse = Pulse(lambda: clock[0])
    make_running(since=clock[0])
    pulse.take(find_jobs("RUNNING")[0])
    while clock[0] < after(seconds=5) + LONGEST_PULSE + timedelta(seconds=50):
        clock[0] += PULSE_EVERY
        pulse.beat()
    assert sweep(clock[0]).bot_turns == 1


def test_a_failed_job_is_asked_for_again(waits_for_bot: Game) -> None:
    sweep(after(seconds=5))
    make_failed(ended=after(seconds=6))
    assert sweep(after(seconds=10)).bot_turns == 1


def test_a_lost_email_is_asked_for_in_a_span_of_time(waits_for_bob: Game) -> None:
    assert sweep(after(seconds=60)) == NOTHING
    assert sweep(after(hours=7)) == NOTHING
    assert sweep(after(minutes=2)).notices == 1
    assert sweep(after(minutes=3)) == NOTHING
    run_jobs()
    assert sweep(after(minutes=4)).notices == 0


def test_a_queue_that_forgets_everything_in_the_middle_loses_no_turn(alice: User) -> None:
    games = [open_table(alice, bot("random", seed), bot("random", seed), variant="duo") for seed in range(3)]
    worker = JobWorker("one")
    for _ in range(7):
        job = worker.take()
        assert job
        run_job(job)
    forget_jobs()
    assert find_jobs() == []
    assert sweep(timezone.now() + timedelta(seconds=5)).bot_turns == len(games)
    run_jobs()
    for game in games:
        assert fresh(game).status == Status.FINISHED
        numbers = [*game.moves.values_list("number", flat=True)]
        assert numbers == [*range(1, len(numbers) + 1)]


@pytest.mark.parametrize("change", [{"email": ""}, {"wants_turn_emails": False}])
def test_who_gets_no_email_is_not_asked_for(waits_for_bob: Game, bob: User, change: dict[str, Any]) -> None:
    type(bob).objects.filter(pk=bob.pk).update(**change)
    assert sweep(after(minutes=2)) == NOTHING


@pytest.mark.parametrize(("state", "minutes"), [("SUCCESSFUL", 60), ("FAILED", 24 * 60)])
def test_jobs_that_are_done_are_dropped_after_an_hour_and_failed_ones_after_a_day(
    alice: User, state: JobState, minutes: int
) -> None:
    open_table(alice, bot(), ME)
    run_jobs()
    number = end_as(state)
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
