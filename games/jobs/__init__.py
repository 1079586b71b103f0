"""The queue of background jobs: the only package that knows the libraries it is made with.

A job is a function of whole numbers, asked for now and run later in a worker, at least once if no worker dies. What
jobs there are is said in `games.tasks`, which of them a worker takes next in `games.background.worker`,
and what is asked for again in `games.background.sweep`. Where they wait is the setting JOB_QUEUE: in the database
(`games.jobs.database`) or in Redis (`games.jobs.redis`). Nothing outside this package has to know which.
"""

from collections.abc import Callable, Collection, Sequence
from contextvars import ContextVar
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import DatabaseError
from django.utils.module_loading import import_string
from redis import RedisError

from games.jobs.fairness import JOBS_LOOKED_AT, JOBS_REMEMBERED, FindPeople, Subject, fairest
from games.jobs.interface import Alarm, Job, JobKind, JobState, WorkerLostError, job

if TYPE_CHECKING:
    from games.jobs.database import DatabaseQueue
    from games.jobs.redis import RedisQueue

__all__ = [
    "JOBS_REMEMBERED",
    "UNREACHABLE",
    "Alarm",
    "Job",
    "JobKind",
    "JobState",
    "Subject",
    "WorkerLostError",
    "alarm",
    "claim_job",
    "claim_next",
    "count_failed",
    "count_ready",
    "drop_old",
    "enqueue",
    "fail_jobs_begun_before",
    "fail_jobs_of",
    "failures",
    "find_jobs",
    "first_in_turn",
    "first_ready",
    "in_hand",
    "job",
    "left_alone",
    "queue_at_work",
    "run_job",
    "send_heartbeat",
    "waiting_since",
]

_QUEUES = {"database": "games.jobs.database.DatabaseQueue", "redis": "games.jobs.redis.RedisQueue"}

#: What any of the functions below raises while the server of the queue cannot be reached.
UNREACHABLE: tuple[type[Exception], ...] = (DatabaseError, RedisError)

#: Each thread that does a job has its own.
_at_work: ContextVar[str] = ContextVar("queue of the job at work", default="")


def enqueue(kind: JobKind, *arguments: int, queue: str = "", not_before: datetime | None = None) -> None:
    """Ask for a job, together with the transaction that is open if there is one. One insert."""
    asked = kind.using(queue_name=queue or None, run_after=not_before, backend=_queue().backend)
    asked.enqueue(*arguments)


def find_jobs(state: JobState | None = None) -> list[Job]:
    """Return the jobs in a state, or all of them, in the order in which they were asked for. One query."""
    return _queue().find_jobs(state)


def first_ready(*, only: Collection[str] = (), but: Collection[str] = ()) -> Job | None:
    """Return the job that is to be done next, in `only` these queues or in all `but` those; None if none waits.

    The order is by priority, then by how long a job could have been done. One query.
    """
    return _queue().first_ready(only, but)


def first_in_turn(
    first: Job, only: Collection[str], find_people: FindPeople, begun: Sequence[Job] | None = None
) -> Job:
    """Return the job to be done next if people take turns, of those in `only` these queues that are as urgent as that.

    `begun` are the jobs begun last, if the caller knows enough of them; they are looked up otherwise. One query where
    no other waits; else that, one to look them up, and those of `find_people`.
    """
    waiting = _queue().ready(first.priority, only, JOBS_LOOKED_AT)
    if len(waiting) <= 1:
        # Where another worker has taken the first meanwhile, claiming it fails, and the choice is repeated.
        return first
    return fairest(waiting, _queue().last_begun(only, JOBS_REMEMBERED) if begun is None else begun, find_people)


def claim_next(worker: str, choose: Callable[[], Job | None]) -> Job | None:
    """Return the job chosen, claimed for a worker; None if none was, or while SQLite is busy.

    Where another worker is quicker, `choose` is asked again.
    """
    try:
        while chosen := choose():
            if claim_job(chosen, worker):
                return chosen
    except UNREACHABLE as error:
        if not _queue().is_busy(error):
            raise
    return None


def claim_job(chosen: Job, worker: str) -> bool:
    """Make the job this worker's; return whether no other was quicker."""
    return _queue().claim_job(chosen, worker)


def run_job(claimed: Job) -> None:
    """Do a claimed job in this process, and write down how it ended. What the job raises is not raised here."""
    before = _at_work.set(claimed.queue)
    try:
        _queue().run_job(claimed)
    finally:
        _at_work.reset(before)


def queue_at_work() -> str:
    """Return the queue in which the job has waited that is being done here, empty where none is. No query."""
    return _at_work.get()


def send_heartbeat(claimed: Job, now: datetime) -> None:
    """Renew the start of a job that still runs, so that its worker is not taken for dead. One query or two."""
    _queue().send_heartbeat(claimed, now)


def in_hand(kind: JobKind, begun_after: datetime) -> set[tuple[int, ...]]:
    """Return the arguments of a kind's jobs that wait, or run and have begun after that. One query."""
    return _queue().in_hand(kind, begun_after)


def failures(kind: JobKind, *, begun_after: datetime, lost_before: datetime) -> list[tuple[tuple[int, ...], datetime]]:
    """Return the arguments of a kind's jobs that have failed since `begun_after`, and when each began. One query.

    One that began before `lost_before` and still runs has failed too: its worker is gone.
    """
    return _queue().failures(kind, begun_after, lost_before)


def count_failed(kind: JobKind, *arguments: int) -> int:
    """Return how many of a kind's jobs have failed whose arguments begin with these. One query."""
    return _queue().count_failed(kind, arguments)


def fail_jobs_of(worker: str, now: datetime) -> int:
    """Fail what a worker has in hand that is known to be dead; return how many jobs. Two queries at most."""
    return _queue().fail_jobs_of(worker, now)


def fail_jobs_begun_before(moment: datetime, now: datetime) -> int:
    """Fail what has run since then: its worker is taken for dead. Return how many jobs. Two queries at most."""
    return _queue().fail_jobs_begun_before(moment, now)


def drop_old(*, successful_before: datetime, failed_before: datetime) -> int:
    """Delete the jobs that ended before these moments; return how many."""
    return _queue().drop_old(successful_before, failed_before)


def waiting_since(only: Collection[str] = ()) -> datetime | None:
    """Return since when the job asked for first has waited, of those in `only` these queues that could be done now.

    None if none waits.
    """
    return _queue().waiting_since(only)


def left_alone(queues: Collection[str], since: datetime) -> list[str]:
    """Return the queues whose first job has waited since before then while no job of theirs has been begun.

    Where workers are at work, and only have much to do, there are none. One query where nothing has waited so long.
    """
    if (waiting_since(queues) or since) >= since:
        return []
    late = [queue for queue in queues if (waiting_since([queue]) or since) < since]
    return [queue for queue in late if not _has_begun(queue, since)]


def _has_begun(queue: str, since: datetime) -> bool:
    """Return whether a job of that queue has been begun, or its worker has said that it is alive. One query."""
    return any(job.started_at and job.started_at >= since for job in _queue().last_begun([queue], 1))


def count_ready() -> dict[str, int]:
    """Return how many jobs of each queue could be done now, queues without any left out. Two queries at most."""
    return _queue().count_ready()


def alarm(only: Collection[str] = ()) -> Alarm:
    """Return what wakes a worker that waits for a job, in `only` these queues or in all."""
    return _queue().alarm(only)


def _queue() -> "DatabaseQueue | RedisQueue":
    return _queue_called(settings.JOB_QUEUE)


@cache
def _queue_called(name: str) -> "DatabaseQueue | RedisQueue":
    """Return the queue of that name; the library of the other one is not loaded."""
    made: DatabaseQueue | RedisQueue = import_string(_QUEUES[name])()
    return made
