"""Running the jobs that wait: in this process, or in worker processes that can be killed."""

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from threading import Event
from urllib.parse import quote

from django.conf import settings
from django.db import connection
from django.utils import timezone

from games.background.worker import JobWorker
from games.jobs import Job, JobState, find_jobs, run_job
from games.jobs.courier import Courier
from games.tasks import people_of
from tests.games.tasks.storage import storage


def run_jobs() -> None:
    """Run every job that waits until none does, those that are to wait a while too."""
    make_due()
    worker, courier = JobWorker("one of the tests"), Courier("another one of the tests", people_of)
    while job := worker.take() or courier.take():
        run_job(job)


def make_due() -> None:
    """Let every job that waits be due, those that are to wait a while too."""
    storage().put_off(timezone.now() - timedelta(seconds=1))


def jobs(state: JobState = "READY") -> list[tuple[str, list[int]]]:
    """Return name and arguments of every job in that state, in the order of asking."""
    return [(job.name, [*job.arguments]) for job in find_jobs(state)]


def forget_jobs() -> None:
    """Lose every job, as if none had been asked for."""
    storage().forget()


def make_running(since: datetime) -> None:
    """Let some worker have every job in hand since then."""
    storage().begin(since)


def make_failed(ended: datetime, began: datetime | None = None) -> None:
    """Let every job that waits or runs have failed then."""
    storage().fail(ended, began)


def end_as(state: JobState) -> int:
    """Let every job that is done have ended so; return how many."""
    return storage().end_as(state)


def make_older(job: Job, age: timedelta, put_off_by: timedelta | None = None) -> None:
    """Let a job have been asked for that long ago, to be done at once or after a while."""
    enqueued_at = timezone.now() - age
    storage().make_older(job, enqueued_at, None if put_off_by is None else enqueued_at + put_off_by)


def count_lost() -> int:
    """Return how many jobs have failed because their worker died."""
    return storage().count_lost()


def longest_wait_of_jobs() -> timedelta:
    """Return how long after the asking the last one of the jobs that succeeded began."""
    return max(job.started_at - job.enqueued_at for job in find_jobs("SUCCESSFUL") if job.started_at)


def worker(*options: str, **environment: str) -> "subprocess.Popen[bytes]":
    """Start a worker process on the database of this test; with `--batch` it ends when no job waits."""
    return _start("-m", "tests.games.tasks.process", *options, **environment)


def manage(*arguments: str, **environment: str) -> "subprocess.Popen[bytes]":
    """Start a command on the database of this test."""
    return _start("manage.py", *arguments, **environment)


def pool(**environment: str) -> "subprocess.Popen[bytes]":
    """Start workers as a site has them, but for the time that its engines take to get ready."""
    return _start("-m", "tests.reliability.doomed", **environment)


def surroundings() -> dict[str, str]:
    """Return the environment of processes that share the database and the jobs of this test."""
    own = {
        "DJANGO_SETTINGS_MODULE": "blockyou.settings.test",
        "DATABASE_URL": database_url(),
        "JOB_QUEUE": settings.JOB_QUEUE,
        # The same for the same order of tests: `tests.reliability.doomed`.
        "DOOM_SEED": str(random.getrandbits(32)),
    }
    return os.environ | own


def _start(*arguments: str, **environment: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, *arguments], env={**surroundings(), **environment})


def database_url() -> str:
    """Return the address of the database that this test uses."""
    values = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{values['NAME']}"
    login = f"{quote(values['USER'])}:{quote(values['PASSWORD'])}@" if values["USER"] else ""
    return f"postgres://{login}{values['HOST']}:{values['PORT']}/{values['NAME']}"


def wait_until(is_so: Callable[[], bool], seconds: float = 30) -> None:
    """Ask again and again until it is so."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        Event().wait(0.02)
