"""A worker whose database or queue goes away makes room; the next hands back its jobs as soon as that can be done."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError
from django.utils import timezone

from accounts.models import User
from blockyou.processes.worker_names import WorkerNames
from games import jobs as queue
from games.background import worker
from games.background.sweep import sweep
from games.management.commands import sweep as command
from tests.games.tables import ME, bot, open_table
from tests.games.tasks.queues import job_queue as job_queue
from tests.games.tasks.test_sweep import Rounds
from tests.games.tasks.workers import jobs, wait_until

pytestmark = pytest.mark.django_db(transaction=True)


class Courier:
    """A process that has nothing to do."""

    def __init__(self, *_given: Any) -> None:
        pass

    def stop(self, *_signal: Any) -> None:
        pass

    def run(self) -> None:
        pass


def test_what_a_worker_had_in_hand_in_an_outage_is_asked_for_again_as_soon_as_that_is_over(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = open_table(alice, bot(), ME)
    job = queue.first_ready()
    assert job
    assert queue.claim_job(job, "dead")
    failures, pauses, real = [OperationalError("away"), OperationalError("away")], list[float](), queue.fail_jobs_of
    monkeypatch.setattr(
        queue, "fail_jobs_of", lambda *of: (_ for _ in ()).throw(failures.pop()) if failures else real(*of)
    )
    monkeypatch.setattr("time.sleep", pauses.append)
    monkeypatch.setattr(worker, "Courier", Courier)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    worker.work(1, 2, "dead", True)
    assert jobs("FAILED") == [("play_bot_turn", [game.pk, 1])]
    assert pauses == [1.0, 1.0]
    assert sweep(timezone.now() + timedelta(seconds=5)).bot_turns == 1


def test_the_sweep_asks_a_database_that_is_away_every_second(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float | None] = []

    class Noting(Rounds):
        def wait(self, timeout: float | None = None) -> bool:
            pauses.append(timeout)
            return super().wait(timeout)

    failures = [OperationalError("away"), OperationalError("away")]
    monkeypatch.setattr(command, "sweep", lambda *at: (_ for _ in ()).throw(failures.pop()) if failures else sweep(*at))
    command.keep_sweeping("me", 5, Noting(3))
    assert pauses == [1.0, 1.0, 5]


def test_what_all_processes_of_a_site_had_in_hand_when_it_was_killed_is_handed_back_by_the_next_ones(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = open_table(alice, bot(), ME), open_table(alice, bot(), ME)
    for game in (before, after):
        # Of the second a worker beside this one has begun to think in the meantime.
        since = timezone.now() if game == after else None
        job = next(job for job in queue.find_jobs("READY") if job.arguments[0] == game.pk)
        assert queue.claim_job(job, f"worker of {game.pk}")
    monkeypatch.setattr(worker, "Courier", Courier)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    worker.work(1, 2, "next", False, alone_since=since)
    assert jobs("FAILED") == [("play_bot_turn", [before.pk, 1])]
    assert jobs("RUNNING") == [("play_bot_turn", [after.pk, 1])]
    assert sweep(timezone.now() + timedelta(seconds=5)).bot_turns == 1


def test_what_a_killed_host_had_in_hand_is_handed_back_by_the_next_pool_there_and_nothing_of_other_hosts(
    alice: User, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    killed, alive = WorkerNames(tmp_path), WorkerNames(tmp_path)
    lost, elsewhere, beside = (open_table(alice, bot(), ME) for _ in range(3))
    for game, name in ((lost, "killed"), (elsewhere, "of another host"), (beside, "alive")):
        job = next(job for job in queue.find_jobs("READY") if job.arguments[0] == game.pk)
        assert queue.claim_job(job, name)
    killed.keep(["idle", "killed"])
    alive.keep(["alive"])
    # Its workers end a moment after it.
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        killed.close()

    monkeypatch.setattr("time.sleep", pause)
    worker.look_for_dead(killed.of_the_dead)
    assert 6 < sum(pauses) < 15
    assert jobs("FAILED") == [("play_bot_turn", [lost.pk, 1])]
    assert sorted(jobs("RUNNING")) == sorted(("play_bot_turn", [game.pk, 1]) for game in (elsewhere, beside))
    [kept] = tmp_path.iterdir()
    assert kept.read_text() == "alive"
    alive.close()
    assert sweep(timezone.now() + timedelta(seconds=5)).bot_turns == 1


def test_the_courier_of_a_pool_looks_for_dead_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []

    def find_dead() -> dict[Path, list[str]]:
        looked.append("here")
        return {}

    monkeypatch.setattr(worker, "Courier", Courier)
    monkeypatch.setattr(worker, "DEAD_LOOKS", 1)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    worker.work(1, 2, "next", False, find_dead=find_dead)
    wait_until(lambda: bool(looked))
