"""RQ behind Django's interface of tasks: how jobs are put into Redis. `games.jobs.redis` takes them out.

RQ has no priorities: jobs of one queue and priority wait in a list of RQ's of their own, whose name says both.
"""

import math
import time
from datetime import UTC, datetime
from functools import cache
from typing import Any, cast

from django.conf import settings
from django.db import transaction
from django.utils.crypto import get_random_string
from django_tasks import TaskResultStatus
from django_tasks.backends.base import BaseTaskBackend
from django_tasks.base import Task, TaskResult
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as Unreachable
from redis.exceptions import TimeoutError as Unanswered
from redis.retry import Retry
from rq import Queue
from rq.executions import Execution
from rq.job import Job as StoredJob
from rq.job import JobStatus
from rq.serializers import JSONSerializer

#: How long Redis keeps jobs by itself, in seconds: those that wait, have succeeded, and have failed. The sweep drops
#: them sooner; the first is for a job that was taken off its list by a worker which died in that very moment.
WAITING_TTL, SUCCESSFUL_TTL, FAILED_TTL = 7 * 86_400, 2 * 3_600, 2 * 86_400
#: No limit of RQ's: it would use the alarm signal, with which thinking is limited (`games.bots.limit`).
UNLIMITED = -1
#: Seconds in which no job is stored after a Redis that hangs has not taken one: each would hold a request again. The
#: sweep asks for those jobs later.
QUEUE_PAUSE_SECONDS = 5.0


class QueueSilence:
    """Whether Redis has just not answered, as this process knows it, by the monotonic clock."""

    ends_at = float("-inf")


class TaskJob(StoredJob):
    """A job of RQ whose function is one of Django's tasks."""

    #: Set once a worker of this process has claimed it.
    execution: Execution | None = None

    def _execute(self) -> Any:
        return cast("Task[..., Any]", self.func).call(*self.args)

    def _handle_success(self, result_ttl: int, pipeline: Any, *_more: Any, **_others: Any) -> None:
        """Note that it is done, and not what it returned, for which RQ would take four kilobytes."""
        self.set_status(JobStatus.FINISHED, pipeline=pipeline)
        self.save(pipeline=pipeline, include_meta=False, include_result=False)
        self.finished_job_registry.add(self, result_ttl, pipeline)


class RedisBackend(BaseTaskBackend):
    """Stores jobs in Redis. OPTIONS: the `url` of Redis, and the `prefix` of this installation's names."""

    supports_defer = True
    supports_priority = True

    def __init__(self, alias: str, params: dict[str, Any]) -> None:
        super().__init__(alias, params)
        self.prefix: str = self.options["prefix"]
        self.channel = f"{self.prefix}:jobs"

    @property
    def connection(self) -> Redis:
        """Return Redis, one client a process."""
        return _connect(self.options["url"])

    def enqueue(self, task: Task[..., Any], args: Any, kwargs: Any) -> TaskResult[Any]:
        """Store the job when the transaction is committed, and wake the workers that wait for it."""
        self.validate_task(task)
        name = get_random_string(32)
        transaction.on_commit(lambda: self._store(task, args, name))
        return TaskResult(
            task=task,
            id=name,
            status=TaskResultStatus.READY,
            enqueued_at=None,
            started_at=None,
            finished_at=None,
            last_attempted_at=None,
            args=list(args),
            kwargs=kwargs,
            backend=self.alias,
            errors=[],
            worker_ids=[],
        )

    def list_called(self, name: str) -> Queue:
        """Return the list of RQ's of that name."""
        return _list_called(self.options["url"], name)

    def lists(self) -> list[Queue]:
        """Return every list of this installation. One query."""
        start = f"{Queue.redis_queue_namespace_prefix}{self.prefix}:"
        keys = sorted(cast("bytes", key).decode() for key in self.connection.smembers(Queue.redis_queues_keys))
        return [
            self.list_called(key.removeprefix(Queue.redis_queue_namespace_prefix))
            for key in keys
            if key.startswith(start)
        ]

    def _store(self, task: Task[..., Any], args: tuple[int, ...], name: str) -> None:
        if time.monotonic() < QueueSilence.ends_at:
            raise Unanswered("Redis has not answered a moment ago.")
        try:
            self._put(task, args, name)
        except Unanswered:
            QueueSilence.ends_at = time.monotonic() + QUEUE_PAUSE_SECONDS
            raise

    def _put(self, task: Task[..., Any], args: tuple[int, ...], name: str) -> None:
        waiting = self.list_called(f"{self.prefix}:{task.queue_name}:{task.priority}")
        row = waiting.create_job(
            task.module_path,
            args=args,
            job_id=name,
            description=task.name,
            timeout=UNLIMITED,
            ttl=WAITING_TTL,
            result_ttl=SUCCESSFUL_TTL,
            failure_ttl=FAILED_TTL,
        )
        with self.connection.pipeline() as pipeline:
            if task.run_after is None:
                waiting.enqueue_job(row, pipeline=pipeline)
            else:
                row.meta["due"] = task.run_after.timestamp()
                # RQ keeps whole seconds, and not before is not sooner.
                due = datetime.fromtimestamp(math.ceil(task.run_after.timestamp()), UTC)
                waiting.schedule_job(row, due, pipeline=pipeline)
            pipeline.publish(self.channel, task.queue_name)
            pipeline.execute()


def queue_and_priority(row_or_list: StoredJob | Queue) -> tuple[str, int]:
    """Return what the name of a list says; a job knows the name of the list where it waited."""
    name = row_or_list.name if isinstance(row_or_list, Queue) else row_or_list.origin
    _prefix, queue, priority = name.rsplit(":", 2)
    return queue, int(priority)


@cache
def _connect(url: str) -> Redis:
    # By default redis-py waits for seconds before it tries again, and a player would wait with it. Tried again is what
    # a connection was lost over, as when Redis has been started anew, not what a Redis that hangs has not answered.
    return Redis.from_url(
        url,
        socket_connect_timeout=settings.QUEUE_SECONDS,
        socket_timeout=settings.QUEUE_SECONDS,
        retry=Retry(NoBackoff(), 1, supported_errors=(Unreachable,)),
    )


@cache
def _list_called(url: str, name: str) -> Queue:
    return Queue(name, connection=_connect(url), job_class=TaskJob, serializer=JSONSerializer)
