"""Thinking in a process of its own, which lets others go first: it answers as if it thought here, and may be lost."""

import faulthandler
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any, NoReturn

import pytest
from pytest_django import Settings

from accounts.models import User
from games.background.worker import QUICK_NICENESS, JobWorker, Thinkers
from games.bots.thinker import Thinker, think_in_subprocess, use_thinker
from games.jobs import WorkerLostError
from games.jobs.process import STARVED_SECONDS
from games.models import Lease, Thought
from games.views.site import health
from tests.games.tables import ME, bot, fresh, open_table
from tests.games.tasks.workers import jobs, make_due

HERE = os.getpriority(os.PRIO_PROCESS, 0)
#: Starts a thinker that thinks for ever, and says which process it is.
PARENT = """
import time
from games.bots.thinker import Thinker
thinker = Thinker()
print(thinker.pid, flush=True)
thinker.ask(time.sleep, 1000)
"""


def place() -> tuple[int, int, int]:
    """Return in which process this is, in which session, and how far it lets others go first."""
    return os.getpid(), os.getsid(0), os.getpriority(os.PRIO_PROCESS, 0)


def fail() -> NoReturn:
    raise ZeroDivisionError("as asked")


def vanish() -> NoReturn:
    os._exit(7)


def dream() -> NoReturn:
    while True:
        time.sleep(60)


@pytest.fixture
def thinker() -> Iterator[Thinker]:
    """Return a thinker that is asked in this test."""
    thinker = Thinker(niceness=3)
    use_thinker(thinker)
    yield thinker
    use_thinker(None)
    thinker.close()


def test_what_is_thought_of_apart_is_answered_by_another_process_that_lets_others_go_first(thinker: Thinker) -> None:
    assert think_in_subprocess(place) == (thinker.pid, thinker.pid, min(HERE + 3, 19))
    assert os.getpriority(os.PRIO_PROCESS, 0) == HERE
    assert think_in_subprocess(divmod, 7, 2) == (3, 1)


def test_without_a_thinker_it_is_thought_of_here() -> None:
    assert think_in_subprocess(place)[0] == os.getpid()


def test_what_goes_wrong_in_a_thinker_is_raised_here_and_it_thinks_on(thinker: Thinker) -> None:
    with pytest.raises(ZeroDivisionError, match="as asked"):
        think_in_subprocess(fail)
    with pytest.raises(TypeError, match="pickle"):
        think_in_subprocess(Event)
    assert thinker.is_alive
    assert think_in_subprocess(divmod, 7, 2) == (3, 1)


def test_a_thinker_that_ends_is_a_lost_worker(thinker: Thinker) -> None:
    with pytest.raises(WorkerLostError, match=r"\(7\)"):
        think_in_subprocess(vanish)
    assert not thinker.is_alive
    with pytest.raises(WorkerLostError):
        think_in_subprocess(place)


def test_a_thinker_that_never_answers_is_ended(thinker: Thinker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.bots.thinker.LONGEST_THINK", 0.1)
    with pytest.raises(WorkerLostError):
        think_in_subprocess(dream)
    assert not thinker.is_alive


def test_a_thinker_ends_with_its_worker_also_in_the_middle_of_a_think() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdout
        pid = int(worker.stdout.readline())
        assert Path(f"/proc/{pid}").exists()
        worker.send_signal(signal.SIGKILL)
        # The thinker holds the same output: that ends when both have ended.
        assert worker.stdout.read() == ""


def test_quick_jobs_are_thought_of_nearly_at_the_pace_of_pages_and_long_ones_last() -> None:
    thinkers = Thinkers.forked(19, takes_long=True)
    assert thinkers.quick
    assert thinkers.long
    assert [each.ask(place)[2] for each in (thinkers.quick, thinkers.long)] == [min(HERE + QUICK_NICENESS, 19), 19]
    thinkers.quick.close()
    thinkers.long.close()
    for_the_quick = Thinkers.forked(2, takes_long=False)
    assert for_the_quick.quick
    assert (for_the_quick.quick.ask(place)[2], for_the_quick.long) == (min(HERE + 2, 19), None)
    for_the_quick.quick.close()


@pytest.fixture
def worker(transactional_db: None, settings: Settings) -> Iterator[JobWorker]:
    """Return a worker with thinkers, forked while no connection is open."""
    settings.WORKER_MEMORY = 2**40
    # The thread with which pytest waits for what hangs would be missed by what is forked, which begins one of its own.
    faulthandler.cancel_dump_traceback_later()
    thinkers = Thinkers.forked(0, takes_long=True)
    yield JobWorker("with thinkers", thinkers=thinkers)
    for each in (thinkers.quick, thinkers.long):
        if each:
            each.close()


def run_until_idle(worker: JobWorker) -> None:
    """Let a worker do all jobs that wait."""

    class IdleError(Exception):
        pass

    def stop() -> NoReturn:
        raise IdleError

    worker.alarm.wait = stop  # type: ignore[method-assign]
    make_due()
    try:
        worker.run()
    except IdleError:
        return


@pytest.mark.django_db(transaction=True)
def test_a_bot_thinks_apart_and_its_move_is_what_it_would_be_here(worker: JobWorker, alice: User) -> None:
    game = open_table(alice, bot("sage-3", 5), ME)
    here = open_table(alice, bot("sage-3", 5), ME)
    run_until_idle(worker)
    moves = [fresh(each).moves.values_list("placement", flat=True)[0] for each in (game, here)]
    assert moves[0] == moves[1]
    assert Thought.objects.count() == 2
    assert worker.thinkers.peak > 0


@pytest.mark.django_db(transaction=True)
def test_a_worker_whose_thinker_has_ended_fails_the_job_as_lost_and_makes_room(
    worker: JobWorker, alice: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    open_table(alice, bot("greedy"), ME)

    def think(*_anything: Any) -> Any:
        return think_in_subprocess(vanish)

    monkeypatch.setattr("games.bots.turns.think_in_subprocess", think)
    run_until_idle(worker)
    assert [name for name, _arguments in jobs("FAILED")] == ["play_bot_turn"]
    assert "the process that thought for it has ended" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_the_site_says_when_other_programs_keep_its_bots_from_the_processors(worker: JobWorker, alice: User) -> None:
    assert health.are_processors_free()
    open_table(alice, bot("greedy"), ME)
    assert worker.thinkers.quick
    run_until_idle(worker)
    assert health.are_processors_free()
    worker.thinkers.quick.waited = STARVED_SECONDS + 1
    assert worker.thinkers.was_starved()
    assert not worker.thinkers.was_starved()


@pytest.mark.django_db(transaction=True)
def test_a_think_that_waits_for_a_processor_is_told_apart_from_one_that_takes_long(
    worker: JobWorker, monkeypatch: pytest.MonkeyPatch, alice: User
) -> None:
    monkeypatch.setattr("games.bots.thinker.STARVED_SECONDS", 0.0)
    open_table(alice, bot("greedy"), ME)
    run_until_idle(worker)
    assert Lease.objects.filter(name="starved").exists()
    assert not health.are_processors_free()


def test_two_thinkers_think_at_once() -> None:
    one, other = Thinker(), Thinker()
    met: list[int] = []
    asking = Thread(target=lambda: met.append(one.ask(place)[0]))
    asking.start()
    assert other.ask(place)[0] == other.pid
    asking.join()
    assert met == [one.pid]
    one.close()
    other.close()
