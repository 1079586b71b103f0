"""What happens to jobs in time, written into where they are kept. No other module of the tests knows the libraries."""

import select
from datetime import datetime
from typing import Any, Protocol

from django.conf import settings
from django.db import connection
from django.utils import timezone
from django_tasks import task_backends
from django_tasks_db.models import DBTaskResult
from rq.job import JobStatus

from games.jobs import Job, JobState, find_jobs
from games.jobs.redis import RedisQueue
from games.jobs.redis_backend import FAILED_TTL, RedisBackend, TaskJob

#: A notice comes in a moment, on a busy machine too.
NOTICE_SECONDS = 5.0


class Storage(Protocol):
    """Where jobs are kept."""

    def put_off(self, moment: datetime) -> None:
        """Let every job that waits be due since then."""

    def forget(self) -> None:
        """Lose every job."""

    def begin(self, moment: datetime) -> None:
        """Let some worker have every job in hand since then."""

    def fail(self, ended: datetime, began: datetime | None) -> None:
        """Let every job that waits or runs have failed."""

    def end_as(self, state: JobState) -> int:
        """Let every job that is done have ended so; return how many."""

    def make_older(self, job: Job, enqueued_at: datetime, due: datetime | None) -> None:
        """Let a job have been asked for then, to be done at once or later."""

    def count_lost(self) -> int:
        """Return how many jobs have failed because their worker died."""

    def cut_off_listeners(self) -> None:
        """Let the server close the connections of workers that wait."""

    def await_notice(self, alarm: Any) -> None:
        """Wait until the server has sent something to the alarm, which has not looked at it."""


def storage() -> Storage:
    """Return where jobs are kept now."""
    return InRedis() if settings.JOB_QUEUE == "redis" else InDatabase()


class InDatabase:
    """The rows of django-tasks-db."""

    def put_off(self, moment: datetime) -> None:
        DBTaskResult.objects.filter(status="READY").update(run_after=moment)

    def forget(self) -> None:
        DBTaskResult.objects.all().delete()

    def begin(self, moment: datetime) -> None:
        DBTaskResult.objects.update(status="RUNNING", started_at=moment)

    def fail(self, ended: datetime, began: datetime | None) -> None:
        rows = DBTaskResult.objects.filter(status__in=["READY", "RUNNING"])
        rows.update(status="FAILED", finished_at=ended, **({"started_at": began} if began else {}))

    def end_as(self, state: JobState) -> int:
        return DBTaskResult.objects.finished().update(status=state)

    def make_older(self, job: Job, enqueued_at: datetime, due: datetime | None) -> None:
        later = {} if due is None else {"run_after": due}
        DBTaskResult.objects.filter(pk=job.row.pk).update(enqueued_at=enqueued_at, **later)

    def count_lost(self) -> int:
        return DBTaskResult.objects.filter(exception_class_path__endswith=".WorkerLostError").count()

    def cut_off_listeners(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")

    def await_notice(self, alarm: Any) -> None:
        assert select.select([alarm._line], [], [], NOTICE_SECONDS)[0]


class InRedis:
    """The hashes, lists and registries of RQ."""

    def __init__(self) -> None:
        backend: Any = task_backends["redis"]
        self.backend: RedisBackend = backend

    def put_off(self, moment: datetime) -> None:
        for row in self._rows("READY"):
            row.meta["due"] = moment.timestamp()
            row.save()
            self.backend.connection.zadd(
                row_list(row).scheduled_job_registry.key, {row.id: moment.timestamp()}, xx=True
            )

    def forget(self) -> None:
        self.backend.connection.flushdb()

    def begin(self, moment: datetime) -> None:
        for job in find_jobs("READY"):
            RedisQueue().claim_job(job, "some worker")
        for row in self._rows("RUNNING"):
            row.started_at = moment
            row.save()

    def fail(self, ended: datetime, began: datetime | None) -> None:
        kept = {row.id: row.started_at for row in self._rows("RUNNING")}
        for job in find_jobs("READY"):
            RedisQueue().claim_job(job, "some worker")
        rows = self._rows("RUNNING")
        RedisQueue().fail_jobs_of("some worker", ended)
        for row in rows:
            self.backend.connection.hdel(row.key, "started_at")
            if since := began or kept.get(row.id):
                failed = TaskJob.fetch(row.id, self.backend.connection, row.serializer)
                failed.started_at = since
                failed.save()

    def end_as(self, state: JobState) -> int:
        rows = self._rows("SUCCESSFUL", "FAILED")
        for row in rows if state == "FAILED" else []:
            waiting = row_list(row)
            row.set_status(JobStatus.FAILED)
            ended = row.ended_at or timezone.now()
            self.backend.connection.zrem(waiting.finished_job_registry.key, row.id)
            self.backend.connection.zadd(waiting.failed_job_registry.key, {row.id: ended.timestamp() + FAILED_TTL})
        return len(rows)

    def make_older(self, job: Job, enqueued_at: datetime, due: datetime | None) -> None:
        row: TaskJob = job.row
        row.created_at = row.enqueued_at = enqueued_at
        row.save()
        if due is not None:
            self.put_off(due)
            return
        waiting = row_list(row)
        names = [each.id for each in sorted(waiting.get_jobs(), key=lambda each: each.created_at)]
        self.backend.connection.delete(waiting.key)
        self.backend.connection.rpush(waiting.key, *names)

    def count_lost(self) -> int:
        return sum(
            "WorkerLostError" in str(result.exc_string)
            for row in self._rows("FAILED")
            if (result := row.latest_result()) is not None
        )

    def cut_off_listeners(self) -> None:
        self.backend.connection.client_kill_filter(_type="pubsub")

    def await_notice(self, alarm: Any) -> None:
        assert alarm._line.connection.can_read(timeout=NOTICE_SECONDS)

    def _rows(self, *states: JobState) -> list[TaskJob]:
        return [job.row for state in states for job in find_jobs(state)]


def row_list(row: TaskJob) -> Any:
    """Return the list of RQ's in which the job waited."""
    backend: Any = task_backends["redis"]
    return backend.list_called(row.origin)
