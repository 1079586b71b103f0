"""Repeating what a crash lost. The games' own rows are the truth; jobs are only a way to get there sooner.

A worker that is killed leaves its job RUNNING for ever (django-tasks-db#5), and a process that is killed between a
commit and its subscribers leaves none. So a process that holds the lease looks every few seconds which turns are due
and have no live job, and asks for them again. One time too many is harmless: jobs look before they act.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q
from django_tasks import TaskResultStatus
from django_tasks.base import Task
from django_tasks_db.models import DBTaskResult

from games import tasks
from games.models import Lease
from games.queries.turns import bot_turns_due, turns_to_tell

LEASE = "sweep"
LEASE_FOR = timedelta(seconds=30)

#: A bot's turn gets this long to be played or at least to be asked for.
BOT_PATIENCE = timedelta(seconds=3)

#: Turn e-mails that were lost are asked for again in this span of the turn's age.
EMAIL_FROM, EMAIL_UNTIL = timedelta(seconds=90), timedelta(hours=6)

#: A job that has run so long no longer keeps its turn from being asked for again; later it is given up for dead.
LIVELY, DEAD = timedelta(seconds=20), timedelta(minutes=3)

#: Finished jobs are kept so long.
KEPT = timedelta(days=1)


@dataclass(frozen=True)
class Swept:
    """What one sweep did, in numbers."""

    bot_turns: int
    emails: int
    lost_jobs: int
    old_jobs: int


def sweep(now: datetime) -> Swept:
    """Ask again for what is due, and tidy up after workers. Its cost grows with what is due, not with all games."""
    return Swept(
        lost_jobs=_bury_lost(now),
        bot_turns=_ask(tasks.play_bot_turn, list(bot_turns_due(now - BOT_PATIENCE)), now),
        emails=_ask(tasks.send_turn_email, list(turns_to_tell(now - EMAIL_UNTIL, now - EMAIL_FROM)), now),
        old_jobs=_drop_old(now),
    )


def hold_lease(holder: str, now: datetime) -> bool:
    """Take or keep the lease; return whether this holder has it. One conditional update decides between processes."""
    lease, _is_new = Lease.objects.get_or_create(name=LEASE, defaults={"until": now})
    free = Q(holder=holder) | Q(until__lte=now)
    return bool(Lease.objects.filter(free, pk=lease.pk).update(holder=holder, until=now + LEASE_FOR))


def release_lease(holder: str, now: datetime) -> None:
    """Give the lease back, so that another process need not wait for its end."""
    Lease.objects.filter(pk=LEASE, holder=holder).update(holder="", until=now)


def _ask(job: Task[[int, int], bool], due: list[tuple[int, int]], now: datetime) -> int:
    """Ask for every one of these jobs that nobody has in hand; return for how many."""
    missing = set(due) - _in_hand(job, now) if due else set()
    for subject, number in sorted(missing):
        job.enqueue(subject, number)
    return len(missing)


def _in_hand(job: Task[[int, int], bool], now: datetime) -> set[tuple[int, int]]:
    """Return the arguments of the job's rows that wait, or have begun a short while ago."""
    live = Q(status=TaskResultStatus.READY) | Q(status=TaskResultStatus.RUNNING, started_at__gt=now - LIVELY)
    rows = DBTaskResult.objects.filter(live, task_path=job.module_path).values_list("args_kwargs", flat=True)
    return {(arguments["args"][0], arguments["args"][1]) for arguments in rows}


def _bury_lost(now: datetime) -> int:
    lost = DBTaskResult.objects.filter(status=TaskResultStatus.RUNNING, started_at__lte=now - DEAD)
    return lost.update(
        status=TaskResultStatus.FAILED,
        finished_at=now,
        exception_class_path=f"{WorkerLostError.__module__}.{WorkerLostError.__qualname__}",
    )


def _drop_old(now: datetime) -> int:
    over = DBTaskResult.objects.finished().filter(finished_at__lt=now - KEPT)
    return over.order_by().delete()[0]


class WorkerLostError(Exception):
    """The worker that ran the job is gone; what the job was for is asked for again if it is still due."""
