"""What a job is, and what wakes those who wait for one, wherever jobs are kept."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal, ParamSpec, Protocol, TypeAlias

from django_tasks import task
from django_tasks.base import Task

P = ParamSpec("P")

#: What `job` makes of a function: for `enqueue` and for the questions of `games.jobs`, and for nothing else.
JobKind: TypeAlias = Task[..., bool]
JobState = Literal["READY", "RUNNING", "FAILED", "SUCCESSFUL"]
READY: Final = "READY"
RUNNING: Final = "RUNNING"
FAILED: Final = "FAILED"
SUCCESSFUL: Final = "SUCCESSFUL"

#: A worker without a job looks for one so often by itself; where it is woken, that is only in case.
POLL_SECONDS, LOOK_SECONDS = 0.05, 5.0


class WorkerLostError(Exception):
    """The worker that ran the job is gone, or its thinker; what the job was for is asked for again if still due."""


#: What stands in the place of an exception where a worker was lost.
WORKER_LOST = f"{WorkerLostError.__module__}.{WorkerLostError.__qualname__}"


@dataclass(frozen=True)
class Job:
    """A job that was asked for: the name of its function, its arguments, and how far it has come.

    `due_since` is when it could first be done, `started_at` when it was begun or its worker last said that it is alive.
    `workers` are those that have claimed it, the last one last.
    """

    name: str
    arguments: tuple[int, ...]
    queue: str
    priority: int
    state: JobState
    enqueued_at: datetime
    due_since: datetime
    started_at: datetime | None
    workers: tuple[str, ...]
    #: What the library of the queue holds it by.
    row: Any = field(repr=False, compare=False)


def job(*, queue: str = "default", priority: int = 0) -> Callable[[Callable[P, bool]], Task[P, bool]]:
    """Return a decorator that makes a function of a module a kind of job.

    `queue` is where it waits if `enqueue` names no other; the larger `priority` (-100 to 100) is done first.
    """
    return task(queue_name=queue, priority=priority)


class Alarm(Protocol):
    """What wakes a worker that waits for a job: `reset` it, look for a job, `wait` if there is none."""

    def reset(self) -> None:
        """Forget what was heard; what is asked for from now on ends the next `wait`."""

    def wait(self) -> None:
        """Return when a job may be there: one was asked for, one that was put off is due, or it is time to look."""

    def close(self) -> None:
        """Give the connection back, if there is one; the next `reset` opens another."""
