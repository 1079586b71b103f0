"""The queue in Redis, made with RQ: for installations with more jobs a minute than their database should carry.

RQ stores the jobs and keeps registries of them, and its worker runs one. Which job is next and whose it becomes is
decided here, because `games.background.worker` promises more than RQ's own loop does (docs/decisions/0022).

Redis is no truth. Whatever it loses, the sweep asks for again, because the sweep looks at games.
"""

import math
import time
from collections import Counter
from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from typing import Any, cast

from django_tasks import task_backends
from redis import RedisError
from rq import Queue, SimpleWorker
from rq.executions import Execution
from rq.job import Job as StoredJob
from rq.job import JobStatus
from rq.job_lifecycle import record_job_failure
from rq.results import Result
from rq.serializers import JSONSerializer
from rq.timeouts import TimerDeathPenalty
from rq.utils import utcformat

from games.jobs import interface
from games.jobs.interface import FAILED, READY, RUNNING, SUCCESSFUL, WORKER_LOST, Alarm, Job, JobKind, JobState
from games.jobs.redis_backend import FAILED_TTL, SUCCESSFUL_TTL, RedisBackend, TaskJob, queue_and_priority

STATES: dict[JobStatus, JobState] = {
    JobStatus.QUEUED: "READY",
    JobStatus.SCHEDULED: "READY",
    JobStatus.STARTED: "RUNNING",
    JobStatus.FAILED: "FAILED",
    JobStatus.FINISHED: "SUCCESSFUL",
}
#: At most this many jobs are read or deleted at once.
MANY = 1000


class PlainWorker(SimpleWorker):
    """Runs a job in this very process, without a limit of time, and keeps no book of itself in Redis."""

    death_penalty_class = TimerDeathPenalty

    def heartbeat(self, timeout: int | None = None, pipeline: Any = None) -> None:
        """Do nothing: that a worker is dead is known from its pool, or from how long a job has run."""

    def increment_successful_job_count(self, pipeline: Any = None) -> None:
        """Do nothing."""

    def increment_failed_job_count(self, pipeline: Any = None) -> None:
        """Do nothing."""

    def increment_total_working_time(self, job_execution_time: Any, pipeline: Any) -> None:
        """Do nothing."""


class RedisQueue:
    """Lists of jobs in Redis, of which taking a job off its list decides between workers."""

    backend = "redis"

    @property
    def _backend(self) -> RedisBackend:
        return cast("RedisBackend", task_backends[self.backend])

    def find_jobs(self, state: JobState | None) -> list[Job]:
        """Return the jobs in a state, or all. Three queries."""
        states = [state] if state else [READY, RUNNING, FAILED, SUCCESSFUL]
        return sorted(map(_job_of, self._rows(*states)), key=lambda found: found.enqueued_at)

    def first_ready(self, only: Collection[str], but: Collection[str]) -> Job | None:
        """Return the next job, by priority, then by how long it could have been done. Three queries."""
        first = map(_job_of, self._heads(only, but))
        return min(first, key=lambda found: (-found.priority, found.due_since), default=None)

    def ready(self, priority: int, only: Collection[str], most: int) -> list[Job]:
        """Return the jobs of a priority that could be done now, in order. Three queries."""
        lists = [each for each in _lists(self._backend, only, ()) if queue_and_priority(each)[1] == priority]
        return sorted(map(_job_of, self._first(lists, most)), key=lambda found: found.due_since)[:most]

    def last_begun(self, only: Collection[str], most: int) -> list[Job]:
        """Return the jobs that run or ended last, the latest to begin first. Three queries."""
        with self._backend.connection.pipeline(transaction=False) as pipeline:
            for each in _lists(self._backend, only, ()):
                pipeline.zrange(each.started_job_registry.key, 0, -1)
                pipeline.zrange(each.finished_job_registry.key, 0, most - 1, desc=True)
                pipeline.zrange(each.failed_job_registry.key, 0, most - 1, desc=True)
            names = [name.decode().partition(":")[0] for found in pipeline.execute() for name in found]
        return [_job_of(row) for row in sorted(self._fetch(names), key=_began, reverse=True)[:most] if row.started_at]

    def claim_job(self, chosen: Job, worker: str) -> bool:
        """Make the job this worker's; return whether no other was quicker. Two queries."""
        row: TaskJob = chosen.row
        if not self._take_off(row):
            return False
        with self._backend.connection.pipeline() as pipeline:
            row.prepare_for_execution(worker, pipeline)
            row.execution = Execution.create(row, SUCCESSFUL_TTL, pipeline, worker)
            pipeline.execute()
        return True

    def is_busy(self, error: Exception) -> bool:
        """Return that it never is: Redis does one thing after the other."""
        return False

    def run_job(self, claimed: Job) -> None:
        """Run the job as RQ's worker does."""
        row: TaskJob = claimed.row
        waiting = self._backend.list_called(row.origin)
        worker = PlainWorker(
            [waiting],
            name=row.worker_name,
            connection=self._backend.connection,
            job_class=TaskJob,
            serializer=JSONSerializer,
            prepare_for_work=False,
            log_job_description=False,
        )
        worker.perform_job(row, waiting, cast("Execution", row.execution))

    def send_heartbeat(self, claimed: Job, now: datetime) -> None:
        """Renew the start of a job that still runs. Two queries."""
        row: TaskJob = claimed.row
        if row.get_status() == JobStatus.STARTED:
            self._backend.connection.hset(row.key, "started_at", utcformat(now))

    def in_hand(self, kind: JobKind, begun_after: datetime) -> set[tuple[int, ...]]:
        """Return the arguments of what waits or has just begun. Three queries."""
        rows = self._of(kind, READY, RUNNING)
        return {_arguments(row) for row in rows if _state(row) == READY or _began(row) > begun_after}

    def failures(
        self, kind: JobKind, begun_after: datetime, lost_before: datetime
    ) -> list[tuple[tuple[int, ...], datetime]]:
        """Return the arguments of what has failed or lost its worker, and when it began. Three queries."""
        rows = [row for row in self._of(kind, FAILED, RUNNING) if _state(row) == FAILED or _began(row) <= lost_before]
        return [(_arguments(row), _began(row)) for row in rows if _began(row) > begun_after]

    def count_failed(self, kind: JobKind, arguments: tuple[int, ...]) -> int:
        """Return how many have failed whose arguments begin so. Three queries."""
        return sum(_arguments(row)[: len(arguments)] == arguments for row in self._of(kind, FAILED))

    def fail_jobs_of(self, worker: str, now: datetime) -> int:
        """Fail what a dead worker has in hand. Four queries at most."""
        return self._fail([row for row in self._rows(RUNNING) if row.worker_name == worker], now)

    def fail_jobs_begun_before(self, moment: datetime, now: datetime) -> int:
        """Fail what has run since then. Four queries at most."""
        return self._fail([row for row in self._rows(RUNNING) if _began(row) <= moment], now)

    def drop_old(self, successful_before: datetime, failed_before: datetime) -> int:
        """Delete the jobs that ended before these moments. Two queries for each list, none of which is long."""
        dropped = 0
        for waiting in self._backend.lists():
            ended = (
                (waiting.finished_job_registry, successful_before.timestamp() + SUCCESSFUL_TTL),
                (waiting.failed_job_registry, failed_before.timestamp() + FAILED_TTL),
            )
            for registry, until in ended:
                names = registry.get_expired_job_ids(until)
                self._delete(registry.key, names)
                dropped += len(names)
        return dropped

    def waiting_since(self, only: Collection[str]) -> datetime | None:
        """Return since when the first job that could be done has waited. Three queries."""
        return min((max(row.created_at, _due_since(row)) for row in self._heads(only)), default=None)

    def count_ready(self) -> dict[str, int]:
        """Return how many jobs of each queue could be done now. Two queries."""
        lists = self._backend.lists()
        with self._backend.connection.pipeline(transaction=False) as pipeline:
            for waiting in lists:
                pipeline.llen(waiting.key)
                pipeline.zcount(waiting.scheduled_job_registry.key, "-inf", time.time())
            counts = pipeline.execute()
        ready: Counter[str] = Counter()
        for waiting, at_once, due in zip(lists, counts[::2], counts[1::2], strict=True):
            ready[queue_and_priority(waiting)[0]] += at_once + due
        return {queue: count for queue, count in ready.items() if count}

    def alarm(self, only: Collection[str]) -> Alarm:
        """Return what wakes a worker."""
        return SubscribedAlarm(self._backend, only)

    def _heads(self, only: Collection[str] = (), but: Collection[str] = ()) -> list[TaskJob]:
        """Return of each list the job asked for first, and the first of those that were put off and are due."""
        return self._first(_lists(self._backend, only, but), 1)

    def _first(self, lists: Iterable[Queue], most: int) -> list[TaskJob]:
        """Return of each list the jobs asked for first, and the first of those that were put off and are due."""
        with self._backend.connection.pipeline(transaction=False) as pipeline:
            for waiting in lists:
                due = waiting.scheduled_job_registry.key
                pipeline.lrange(waiting.key, 0, most - 1)
                pipeline.zrange(due, "-inf", time.time(), byscore=True, offset=0, num=most)
            names = [name.decode() for found in pipeline.execute() for name in found]
        rows = self._fetch(names)
        if len(rows) < len(names):
            # Redis has forgotten a job that has waited for days: its name must not bar the list.
            self._forget(set(names) - {row.id for row in rows})
        return rows

    def _rows(self, *states: JobState) -> list[TaskJob]:
        with self._backend.connection.pipeline(transaction=False) as pipeline:
            for waiting in self._backend.lists():
                if READY in states:
                    pipeline.lrange(waiting.key, 0, -1)
                registries = {
                    READY: waiting.scheduled_job_registry,
                    RUNNING: waiting.started_job_registry,
                    FAILED: waiting.failed_job_registry,
                    SUCCESSFUL: waiting.finished_job_registry,
                }
                for state in states:
                    pipeline.zrange(registries[state].key, 0, -1)
            # The jobs that run are noted as job:execution.
            names = [name.decode().partition(":")[0] for found in pipeline.execute() for name in found]
        return [row for row in self._fetch(names) if _state(row) in states]

    def _of(self, kind: JobKind, *states: JobState) -> list[TaskJob]:
        return [row for row in self._rows(*states) if row.func_name == kind.module_path]

    def _fetch(self, names: list[str]) -> list[TaskJob]:
        """Return the jobs of these names, without those that Redis has forgotten."""
        rows: list[StoredJob | None] = []
        for start in range(0, len(names), MANY):
            rows += TaskJob.fetch_many(names[start : start + MANY], self._backend.connection, JSONSerializer)
        return [cast("TaskJob", row) for row in rows if row is not None]

    def _take_off(self, row: TaskJob) -> bool:
        """Take the job off the list where it waits; return whether it was there. Of many who do only one finds it."""
        waiting = self._backend.list_called(row.origin)
        with self._backend.connection.pipeline() as pipeline:
            pipeline.lrem(waiting.key, 1, row.id)
            pipeline.zrem(waiting.scheduled_job_registry.key, row.id)
            return any(pipeline.execute())

    def _forget(self, names: Iterable[str]) -> None:
        with self._backend.connection.pipeline() as pipeline:
            for waiting in self._backend.lists():
                for name in names:
                    pipeline.lrem(waiting.key, 0, name)
                    pipeline.zrem(waiting.scheduled_job_registry.key, name)
            pipeline.execute()

    def _delete(self, registry: str, names: list[str]) -> None:
        for start in range(0, len(names), MANY):
            some = names[start : start + MANY]
            with self._backend.connection.pipeline() as pipeline:
                pipeline.delete(*map(TaskJob.key_for, some), *map(Result.get_key, some))
                pipeline.zrem(registry, *some)
                pipeline.execute()

    def _executions(self, row: TaskJob) -> list[str]:
        """Return by what a job is noted among those that run. RQ's own way would fail where it has forgotten one."""
        running = self._backend.connection.zrange(row.started_job_registry.key, 0, -1)
        names = [cast("bytes", name).decode() for name in running]
        return [row.id, *(name for name in names if name.startswith(f"{row.id}:"))]

    def _fail(self, rows: list[TaskJob], now: datetime) -> int:
        if not rows:
            return 0
        with self._backend.connection.pipeline() as pipeline:
            for row in rows:
                row.ended_at = now
                pipeline.zrem(row.started_job_registry.key, *self._executions(row))
                record_job_failure(row, WORKER_LOST, pipeline)
            pipeline.execute()
        return len(rows)


class SubscribedAlarm:
    """A connection of its own that hears what is asked for, opened in the process that uses it."""

    def __init__(self, backend: RedisBackend, only: Collection[str]) -> None:
        self._backend = backend
        self._only = {queue.encode() for queue in only}
        self._queues = only
        self._line: Any = None

    def reset(self) -> None:
        """Forget what was heard, and listen from now on."""
        try:
            if self._line is None:
                self._line = self._backend.connection.pubsub()  # type: ignore[no-untyped-call]
                self._line.subscribe(self._backend.channel)
                # What is asked for is heard once Redis has said that it is listened to.
                self._line.get_message(timeout=interface.LOOK_SECONDS)
            while self._line.get_message(timeout=0):
                pass
        except RedisError:
            self.close()

    def wait(self) -> None:
        """Return when a job may be there."""
        if self._line is None:
            time.sleep(interface.POLL_SECONDS)
            return
        try:
            # Asked before the clock is read: the job is due when this has passed, and not some milliseconds later.
            seconds = min(interface.LOOK_SECONDS, _seconds_until_due(self._backend, self._queues))
            end = time.monotonic() + seconds
            while (left := end - time.monotonic()) > 0:
                heard = self._line.get_message(timeout=left)
                if heard and (not self._only or heard["data"] in self._only):
                    return
        except RedisError:
            self.close()

    def close(self) -> None:
        """Give the connection back."""
        if self._line is not None:
            self._line.close()
        self._line = None


def _lists(backend: RedisBackend, only: Collection[str], but: Collection[str]) -> list[Queue]:
    called = [(queue_and_priority(each)[0], each) for each in backend.lists()]
    return [each for queue, each in called if (not only or queue in only) and queue not in but]


def _seconds_until_due(backend: RedisBackend, only: Collection[str]) -> float:
    """Return how long the next job that was put off still waits; infinity where there is none. Two queries."""
    with backend.connection.pipeline(transaction=False) as pipeline:
        for waiting in _lists(backend, only, ()):
            pipeline.zrange(waiting.scheduled_job_registry.key, 0, 0, withscores=True)
        due = [score for found in pipeline.execute() for _name, score in found]
    return max(0.0, min(due) - time.time()) if due else math.inf


def _job_of(row: TaskJob) -> Job:
    queue, priority = queue_and_priority(row)
    return Job(
        name=str(row.func_name).rpartition(".")[2],
        arguments=_arguments(row),
        queue=queue,
        priority=priority,
        state=_state(row),
        enqueued_at=row.created_at,
        due_since=_due_since(row),
        started_at=row.started_at,
        workers=(row.worker_name,) if row.worker_name else (),
        row=row,
    )


def _arguments(row: StoredJob) -> tuple[int, ...]:
    return tuple(row.args)


def _state(row: StoredJob) -> JobState:
    return STATES[row.get_status(refresh=False)]


def _began(row: StoredJob) -> datetime:
    """Return when the job began; one that never did is none that began lately."""
    return row.started_at or datetime.min.replace(tzinfo=UTC)


def _due_since(row: StoredJob) -> datetime:
    due = row.get_meta(refresh=False).get("due")
    return datetime.fromtimestamp(due, UTC) if due else row.created_at
