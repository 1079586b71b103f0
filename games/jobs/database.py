"""The queue in the database, made with django-tasks-db: nothing to install, and jobs are kept as safely as moves."""

import select
import time
from collections.abc import Collection
from datetime import datetime
from typing import Any, TypeAlias, cast
from uuid import UUID

from django.db import OperationalError, connection, transaction
from django.db.models import Case, Count, F, Q, QuerySet, When
from django.utils import timezone
from django_tasks_db.backend import DatabaseBackend
from django_tasks_db.management.commands.db_worker import Worker
from django_tasks_db.models import DBTaskResult, get_date_max
from django_tasks_db.utils import is_locked_database_exception

from accounts.database.lots import lots
from games.jobs import interface
from games.jobs.interface import FAILED, READY, RUNNING, SUCCESSFUL, WORKER_LOST, Alarm, Job, JobKind, JobState

_JobRow: TypeAlias = DBTaskResult[..., Any]

#: Seconds for which a worker waits beyond the moment at which a job is due: the clock that says so may be slowed down a
#: little meanwhile, beside the one that waiting goes by.
_SLACK = 0.005
#: Since when a job could be done, in the database. `run_after` is the last of all dates if it was not put off.
_DUE_SINCE = Case(When(run_after=get_date_max(), then=F("enqueued_at")), default=F("run_after"))
#: Where PostgreSQL tells waiting workers in which queue a job was asked for. Other databases do not hear it.
_CHANNEL = "block_you_jobs"


class NotifyingBackend(DatabaseBackend):
    """Stores jobs, and on PostgreSQL wakes the workers that wait for them."""

    def enqueue(self, task: Any, args: Any, kwargs: Any) -> Any:
        """Store the job; workers hear of it when both are committed."""
        if connection.vendor != "postgresql":
            return super().enqueue(task, args, kwargs)
        with transaction.atomic(), connection.cursor() as cursor:
            stored: Any = super().enqueue(task, args, kwargs)
            cursor.execute("SELECT pg_notify(%s, %s)", [_CHANNEL, task.queue_name])
        return stored


class DatabaseQueue:
    """A table of jobs, in which one conditional update decides between workers."""

    backend = "default"

    def find_jobs(self, state: JobState | None) -> list[Job]:
        """Return the jobs in a state, or all. One query."""
        rows = DBTaskResult.objects.filter(**({"status": state} if state else {}))
        return [_job_of(row) for row in rows.order_by("enqueued_at")]

    def first_ready(self, only: Collection[str], but: Collection[str]) -> Job | None:
        """Return the next job, by priority, then by how long it could have been done. One query."""
        ready = DBTaskResult.objects.ready().filter(backend_name=self.backend).exclude(queue_name__in=but)
        row = (ready.filter(queue_name__in=only) if only else ready).order_by("-priority", _DUE_SINCE).first()
        return _job_of(row) if row else None

    def ready(self, priority: int, only: Collection[str], most: int) -> list[Job]:
        """Return the jobs of a priority that could be done now, in order. One query."""
        waiting = DBTaskResult.objects.ready().filter(backend_name=self.backend, priority=priority)
        return [_job_of(row) for row in waiting.filter(queue_name__in=only).order_by(_DUE_SINCE)[:most]]

    def last_begun(self, only: Collection[str], most: int) -> list[Job]:
        """Return the jobs that were begun last. One query."""
        begun = DBTaskResult.objects.filter(backend_name=self.backend, queue_name__in=only)
        return [_job_of(row) for row in begun.filter(started_at__isnull=False).order_by("-started_at")[:most]]

    def claim_job(self, chosen: Job, worker: str) -> bool:
        """Make the job this worker's; return whether no other was quicker. One conditional update decides."""
        row: _JobRow = chosen.row
        row.status, row.started_at, row.worker_ids = RUNNING, timezone.now(), [*row.worker_ids, worker]
        ready = DBTaskResult.objects.filter(pk=row.pk, status=READY)
        return bool(ready.update(status=row.status, started_at=row.started_at, worker_ids=row.worker_ids))

    def is_busy(self, error: Exception) -> bool:
        """Return whether SQLite is busy, so that asking again helps."""
        return isinstance(error, OperationalError) and is_locked_database_exception(error)

    def run_job(self, claimed: Job) -> None:
        """Run the job as the library's worker does."""
        row: _JobRow = claimed.row
        Worker(
            queue_names=["*"],
            interval=0,
            batch=False,
            backend_name=self.backend,
            startup_delay=False,
            max_tasks=None,
            worker_id=row.worker_ids[-1],
            excluded_queue_names=[],
        ).run_task(row)

    def send_heartbeat(self, claimed: Job, now: datetime) -> None:
        """Renew the start of a job that still runs. One query."""
        DBTaskResult.objects.filter(pk=claimed.row.pk, status=RUNNING).update(started_at=now)

    def in_hand(self, kind: JobKind, begun_after: datetime) -> set[tuple[int, ...]]:
        """Return the arguments of what waits or has just begun. One query."""
        live = Q(status=READY) | Q(status=RUNNING, started_at__gt=begun_after)
        return {_arguments(held) for held in _of(kind).filter(live).values_list("args_kwargs", flat=True)}

    def failures(
        self, kind: JobKind, begun_after: datetime, lost_before: datetime
    ) -> list[tuple[tuple[int, ...], datetime]]:
        """Return the arguments of what has failed or lost its worker, and when it began. One query."""
        ended = Q(status=FAILED) | Q(status=RUNNING, started_at__lte=lost_before)
        rows = _of(kind).filter(ended, started_at__gt=begun_after).order_by()
        return [(_arguments(held), began) for held, began in rows.values_list("args_kwargs", "started_at") if began]

    def count_failed(self, kind: JobKind, arguments: tuple[int, ...]) -> int:
        """Return how many have failed whose arguments begin so. One query."""
        same = {f"args_kwargs__args__{index}": argument for index, argument in enumerate(arguments)}
        return _of(kind).filter(status=FAILED, **same).count()

    def fail_jobs_of(self, worker: str, now: datetime) -> int:
        """Fail what a dead worker has in hand. Two queries at most."""
        running = DBTaskResult.objects.filter(status=RUNNING).values_list("pk", "worker_ids")
        return _fail([pk for pk, workers in running if workers[-1] == worker], now)

    def fail_jobs_begun_before(self, moment: datetime, now: datetime) -> int:
        """Fail what has run since then. Two queries at most."""
        lost = DBTaskResult.objects.filter(status=RUNNING, started_at__lte=moment)
        return _fail(list(lost.values_list("pk", flat=True)), now)

    def drop_old(self, successful_before: datetime, failed_before: datetime) -> int:
        """Delete the jobs that ended before these moments, a lot in each transaction."""
        done = Q(status=SUCCESSFUL, finished_at__lt=successful_before)
        failed = Q(status=FAILED, finished_at__lt=failed_before)
        keys = list(DBTaskResult.objects.filter(done | failed).order_by().values_list("pk", flat=True))
        return sum(DBTaskResult.objects.filter(pk__in=some).delete()[0] for some in lots(keys))

    def waiting_since(self, only: Collection[str]) -> datetime | None:
        """Return since when the first job that could be done has waited. One query."""
        ready = DBTaskResult.objects.ready().order_by("enqueued_at")
        row = (ready.filter(queue_name__in=only) if only else ready).first()
        return max(row.enqueued_at, _due_since(row)) if row else None

    def count_ready(self) -> dict[str, int]:
        """Return how many jobs of each queue could be done now. One query."""
        ready = DBTaskResult.objects.ready().order_by().values("queue_name")
        return dict(ready.annotate(count=Count("pk")).values_list("queue_name", "count"))

    def alarm(self, only: Collection[str]) -> Alarm:
        """Return what wakes a worker."""
        return ListeningAlarm(only) if connection.vendor == "postgresql" else WatchingAlarm(only)


class WatchingAlarm:
    """On SQLite a look, twenty times a second, at the number that grows with whatever others commit to the file.

    It costs some microseconds, where a question for jobs costs a millisecond, and a site at rest is to cost little.
    """

    def __init__(self, only: Collection[str]) -> None:
        self._only = only
        self._seen: int | None = None

    def reset(self) -> None:
        """Forget what was written, and watch from now on."""
        self._seen = _data_version()

    def wait(self) -> None:
        """Return when something was written, or a job is due that was put off."""
        end = time.monotonic() + min(interface.LOOK_SECONDS, _seconds_until_due(self._only))
        while (left := end - time.monotonic()) > 0:
            time.sleep(min(interface.POLL_SECONDS, left))
            if self._seen is None or _data_version() != self._seen:
                return

    def close(self) -> None:
        """Watch no longer."""
        self._seen = None


def _data_version() -> int | None:
    """Return a number that changes with each commit of another connection to the file of SQLite.

    None where it cannot be read: then the question for jobs, a moment later, meets what is wrong.
    """
    try:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA data_version")
            return int(cursor.fetchone()[0])
    except OperationalError:
        return None


class ListeningAlarm:
    """On PostgreSQL a connection of its own that listens, opened in the process that uses it; lost, a short sleep."""

    def __init__(self, only: Collection[str]) -> None:
        self._only = only
        self._line: Any = None
        self._deaf_until = 0.0

    def reset(self) -> None:
        """Forget what was heard, and listen from now on."""
        try:
            if self._line is None and time.monotonic() >= self._deaf_until:
                self._line = _listen()
            self._heard()
        except OperationalError:
            self._deaf_until = time.monotonic() + interface.LOOK_SECONDS
            self.close()

    def wait(self) -> None:
        """Return when a job may be there."""
        if self._line is None:
            time.sleep(interface.POLL_SECONDS)
            return
        # Asked before the clock is read: the job is due when this has passed, and not some milliseconds later.
        seconds = min(interface.LOOK_SECONDS, _seconds_until_due(self._only))
        end = time.monotonic() + seconds
        try:
            while (left := end - time.monotonic()) > 0 and select.select([self._line], [], [], left)[0]:
                if self._heard() & {*self._only} or not self._only:
                    return
        except OperationalError:
            self.close()

    def close(self) -> None:
        """Give the connection back."""
        if self._line is not None:
            self._line.close()
        self._line = None

    def _heard(self) -> set[str]:
        """Return the queues in which jobs were asked for since the last time."""
        if self._line is None:
            return set()
        with connection.wrap_database_errors:
            return {said.payload for said in self._line.notifies(timeout=0)}


def _listen() -> Any:
    """Return a new connection to PostgreSQL, beside the pool's, that listens to what `enqueue` says."""
    parameters = connection.get_connection_params()
    with connection.wrap_database_errors:
        line = connection.Database.connect(**parameters, autocommit=True)  # type: ignore[attr-defined]
        line.execute(f"LISTEN {_CHANNEL}")
    return line


def _seconds_until_due(only: Collection[str]) -> float:
    """Return how long the next job that was put off still waits; infinity where there is none. One query."""
    waiting = DBTaskResult.objects.filter(status=READY, run_after__lt=get_date_max())
    due = (waiting.filter(queue_name__in=only) if only else waiting).order_by("run_after").first()
    return max(0.0, (due.run_after - timezone.now()).total_seconds()) + _SLACK if due else float("inf")


def _of(kind: JobKind) -> QuerySet[_JobRow]:
    return DBTaskResult.objects.filter(task_path=kind.module_path)


def _job_of(row: _JobRow) -> Job:
    return Job(
        name=row.task_path.rpartition(".")[2],
        arguments=_arguments(row.args_kwargs),
        queue=row.queue_name,
        priority=row.priority,
        state=cast("JobState", str(row.status)),
        enqueued_at=row.enqueued_at,
        due_since=_due_since(row),
        started_at=row.started_at,
        workers=tuple(row.worker_ids),
        row=row,
    )


def _arguments(held: dict[str, list[int]]) -> tuple[int, ...]:
    return tuple(held["args"])


def _due_since(row: _JobRow) -> datetime:
    return row.enqueued_at if row.run_after in (None, get_date_max()) else row.run_after


def _fail(rows: Collection[UUID], now: datetime) -> int:
    if not rows:
        return 0
    lost = DBTaskResult.objects.filter(status=RUNNING, pk__in=rows)
    return lost.update(status=FAILED, finished_at=now, exception_class_path=WORKER_LOST)
