"""The site says when other programs keep jobs from the processors: those that write, and those that send."""

import itertools
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError
from django.test import Client

from blockyou.checkup import LOOKS, CheckFailed
from games.background.worker import JobWorker, Thinkers, work
from games.jobs import enqueue
from games.jobs.courier import Courier
from games.jobs.interface import JobKind
from games.jobs.process import STARVED_SECONDS, Pulse, seconds_without_processor
from games.tasks import notify_of_turn, send_mail
from games.views.site import health
from tests.games.tasks.workers import jobs

WORKER, COURIER = 0, 1


@pytest.fixture(autouse=True)
def one_job_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a worker, and the courier, run one job in this process and end."""

    def run_one(worker: JobWorker) -> None:
        with closing(worker.alarm):
            worker._run_next()

    def send_one(courier: Courier) -> None:
        job = courier.take()
        assert job
        courier._send(job, courier._begin(job.queue))

    monkeypatch.setattr("signal.signal", lambda *_: None)
    monkeypatch.setattr(Thinkers, "forked", lambda *_, **__: None)
    monkeypatch.setattr(JobWorker, "run", run_one)
    monkeypatch.setattr(Courier, "run", send_one)
    monkeypatch.setattr(health.Memory, "found", {})


def let_jobs_wait(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Let every job have waited so long for a processor from its beginning to its end."""
    readings = itertools.count(0, seconds)
    monkeypatch.setattr("games.jobs.process.seconds_without_processor", lambda: next(readings))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("seconds", "status"), [(STARVED_SECONDS, 200), (STARVED_SECONDS + 1, 503)])
@pytest.mark.parametrize(("number", "kind"), [(WORKER, notify_of_turn), (COURIER, send_mail)])
def test_a_job_that_others_keep_from_the_processors_is_told_whoever_does_it(
    client: Client, monkeypatch: pytest.MonkeyPatch, number: int, kind: JobKind, seconds: float, status: int
) -> None:
    enqueue(kind, 1, 1)
    let_jobs_wait(monkeypatch, seconds)
    work(number, 2, "one of the tests", follows=False)
    assert jobs("READY") == jobs("RUNNING") == []
    assert client.get("/healthz?only=processors").status_code == status
    try:
        is_well = LOOKS["processors"]() == "All is well."
    except CheckFailed:
        is_well = False
    assert is_well is (status == 200)


@pytest.mark.django_db(transaction=True)
def test_a_job_is_done_where_that_cannot_be_written_down(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any) -> None:
        raise DatabaseError("gone")

    enqueue(notify_of_turn, 1, 1)
    let_jobs_wait(monkeypatch, STARVED_SECONDS + 1)
    worker = JobWorker("one of the tests")
    worker.pulse = Pulse(note_starved=fail)
    worker.run()
    assert [name for name, _arguments in jobs("SUCCESSFUL")] == ["notify_of_turn"]
    assert "It cannot be said that jobs are kept from the processors (DatabaseError)." in caplog.text


@pytest.fixture
def rival() -> Iterator[None]:
    """Let this thread share a processor with a program that never rests."""
    ours = os.sched_getaffinity(0)
    one = min(ours)
    loop = f"import os; os.sched_setaffinity(0, {{{one}}})\nwhile True: pass"
    program = subprocess.Popen([sys.executable, "-c", loop])
    os.sched_setaffinity(0, {one})
    try:
        yield
    finally:
        os.sched_setaffinity(0, ours)
        program.kill()
        program.wait()


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="the system does not say who waits")
@pytest.mark.usefixtures("rival")
def test_only_the_thread_that_would_work_is_said_to_wait_for_a_processor() -> None:
    is_over, of_sleeper = threading.Event(), list[float]()

    def sleep() -> None:
        before = seconds_without_processor()
        is_over.wait()
        of_sleeper.append(seconds_without_processor() - before)

    sleeper = threading.Thread(target=sleep)
    sleeper.start()
    before, end = seconds_without_processor(), time.thread_time() + 60
    while seconds_without_processor() - before < 0.2 and time.thread_time() < end:
        pass
    waited = seconds_without_processor() - before
    is_over.set()
    sleeper.join()
    assert waited >= 0.2
    assert of_sleeper[0] < waited
