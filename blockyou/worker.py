"""One worker: runs jobs one after the other, quick ones before long ones, until it is told to stop or has grown large.

Workers do not wait for each other. With two or more of them one takes no long jobs at all, so that nobody's game ever
waits behind the long think of another's bot, or for a mail server that does not answer; a worker that takes both kinds
serves those who have waited longest, a little in favour of the quick.
"""

import logging
import resource
import sys
import time
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from django.conf import settings
from django.db import OperationalError, close_old_connections
from django.db.models import Case, F, When
from django.utils import timezone
from django_tasks import TaskResultStatus
from django_tasks_db.management.commands.db_worker import Worker
from django_tasks_db.models import DBTaskResult, get_date_max
from django_tasks_db.utils import is_locked_database_exception

from games.bots.limit import Process
from games.sweep import bury_jobs_of

logger = logging.getLogger(__name__)
Job: TypeAlias = DBTaskResult[..., Any]

#: The queues whose jobs are done in a moment. Whatever else there is may take its time, as e-mails do.
QUICK = ("bots",)

#: Since when a job could be done, in the database. `run_after` is the last of all dates if it was not put off.
DUE_SINCE = Case(When(run_after=get_date_max(), then=F("enqueued_at")), default=F("run_after"))

#: So much later than a quick job a long one has its turn with a worker that takes both.
STEP_BACK = timedelta(seconds=2)
INTERVAL_SECONDS = 0.05
_MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024


class JobWorker(Worker):
    """A worker of django-tasks-db that chooses its next job by who waits, and stops when it has grown too large."""

    def __init__(self, worker_id: str, *, takes_long: bool = True) -> None:
        super().__init__(
            queue_names=["*"],
            interval=INTERVAL_SECONDS,
            batch=False,
            backend_name="default",
            startup_delay=False,
            max_tasks=None,
            worker_id=worker_id,
            excluded_queue_names=[],
        )
        self.takes_long = takes_long

    def run(self) -> None:
        """Run jobs until a signal asks to stop or this process has grown too large for another one."""
        while self.running and not is_too_large():
            close_old_connections()
            # From here on a signal waits until the job is done: nobody else would take what is claimed.
            self.running_task = True
            job = self.take()
            if job is not None:
                self.run_task(job)
            self.running_task = False
            if job is None and self.running:
                time.sleep(self.interval)
        if self.running:
            logger.info("This worker makes room: it has held more than %s MiB.", settings.WORKER_MEMORY)

    def take(self) -> Job | None:
        """Claim the next job, None if there is none. One query while nothing waits."""
        try:
            while job := self.next_job():
                if self.claim(job):
                    return job
        except OperationalError as error:
            if not is_locked_database_exception(error):
                raise
        return None

    def next_job(self) -> Job | None:
        """Return the job whose turn it is, which another worker may claim first."""
        ready = DBTaskResult.objects.ready().filter(backend_name=self.backend_name).order_by("-priority", DUE_SINCE)
        quick = ready.filter(queue_name__in=QUICK)
        if not self.takes_long:
            return quick.first()
        first = ready.first()
        if first is None:
            return None
        long = ready.exclude(queue_name__in=QUICK).first()
        rival = quick.first()
        if long is None or rival is None:
            return long or rival
        return long if due_since(long) + STEP_BACK < due_since(rival) else rival

    def claim(self, job: Job) -> bool:
        """Make the job this worker's; return whether nobody was quicker. One conditional update decides."""
        job.status, job.started_at = TaskResultStatus.RUNNING, timezone.now()
        job.worker_ids = [*job.worker_ids, self.worker_id]
        waiting = DBTaskResult.objects.filter(pk=job.pk, status=TaskResultStatus.READY)
        return bool(waiting.update(status=job.status, started_at=job.started_at, worker_ids=job.worker_ids))


def work(number: int, count: int, identity: str, predecessor: str) -> None:
    """Be the worker of that number among so many, in the place of one that is dead if there was one."""
    Process.is_expendable = True
    if predecessor:
        bury_jobs_of(predecessor, timezone.now())
    worker = JobWorker(identity, takes_long=count == 1 or number > 0)
    worker.configure_signals()
    worker.run()


def due_since(job: Job) -> datetime:
    """Return since when the job could be done."""
    return job.enqueued_at if job.run_after == get_date_max() else job.run_after


def is_too_large() -> bool:
    """Whether this process has ever held more memory than `WORKER_MEMORY` allows."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _MAXRSS_UNIT
    return bool(peak > settings.WORKER_MEMORY * 1024 * 1024)
