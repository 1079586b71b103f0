"""Repeating what a crash lost. The games' own rows are the truth; jobs are only a way to get there sooner.

A worker that is killed leaves its job RUNNING for ever (django-tasks-db#5), and a process that is killed between a
commit and its subscribers leaves none. So a process that holds the lease looks every few seconds which turns are due
and have no live job, and asks for them again. One time too many is harmless: jobs look before they act.

What fails is tried again after a pause that doubles, and is parked after some tries: others need the workers too.
"""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Q
from django_tasks import TaskResultStatus
from django_tasks.base import Task
from django_tasks_db.models import DBTaskResult

from games import tasks
from games.bots import reviewer
from games.models import Lease
from games.queries.advising import reviews_due
from games.queries.turns import bot_turns_due, turns_to_tell

LEASE = "sweep"
LEASE_FOR = timedelta(seconds=30)

#: A bot's turn gets this long to be played or at least to be asked for.
BOT_PATIENCE = timedelta(seconds=3)

#: A review gets so long to go on: its jobs wait until nobody else has any.
REVIEW_PATIENCE = timedelta(seconds=15)

#: Turn e-mails that were lost are asked for again in this span of the turn's age.
EMAIL_FROM, EMAIL_UNTIL = timedelta(seconds=90), timedelta(hours=6)

#: A job that has run so long, longer than any think, no longer keeps its turn from being asked for again; later it is
#: given up for dead.
LIVELY, DEAD = timedelta(seconds=40), timedelta(minutes=3)

#: What has failed so often is parked. The first pause before it is tried again; each further one is twice as long.
TRIES, FIRST_PAUSE = 5, timedelta(seconds=2)

#: Jobs that are done are kept so long; those that failed longer, since their tries are counted.
KEPT, KEPT_FAILED = timedelta(hours=1), timedelta(days=1)

#: What a job is about: a game or a player, and the number of a move; or a review, and how much of it is done.
Turn = tuple[int, int]


@dataclass(frozen=True)
class Swept:
    """What one sweep did, in numbers, and which games' and players' turns are parked."""

    bot_turns: int
    emails: int
    lost_jobs: int
    old_jobs: int
    parked: tuple[Turn, ...] = ()
    reviews: int = 0

    @property
    def has_done_something(self) -> bool:
        """Whether anything was asked for or tidied up."""
        return any((self.bot_turns, self.emails, self.reviews, self.lost_jobs, self.old_jobs))


def sweep(now: datetime, since: datetime | None = None) -> Swept:
    """Ask again for what is due, and tidy up after workers. Its cost grows with what is due, not with all games.

    Failures are forgotten after a day, and those before `since` too: whoever starts a mended site tries all again.
    """
    lost = _bury_lost(now)
    since = max(since or now - KEPT_FAILED, now - KEPT_FAILED)
    bots = bot_turns_due(now - BOT_PATIENCE)
    turns = _triage(tasks.play_bot_turn, bots, now, since)
    emails = _triage(tasks.send_turn_email, set(turns_to_tell(now - EMAIL_UNTIL, now - EMAIL_FROM)), now, since)
    for turn, tries in turns.due.items():
        tasks.ask_bot(*turn, bots[turn], tries)
    for turn in emails.due:
        tasks.send_turn_email.enqueue(*turn)
    parked = (*turns.parked, *emails.parked)
    reviews = _go_on_reviewing(now, since)
    return Swept(len(turns.due), len(emails.due), lost, _drop_old(now), parked, reviews)


def _go_on_reviewing(now: datetime, since: datetime) -> int:
    """Ask again for what was lost of reviews, and give those up that have failed too often; return how many went on."""
    reviews = _triage(tasks.go_on_reviewing, reviews_due(now - REVIEW_PATIENCE), now, since)
    for review in reviews.due:
        tasks.ask_review(*review)
    for review in reviews.parked:
        reviewer.give_up(*review)
    return len(reviews.due)


def hold_lease(holder: str, now: datetime) -> bool:
    """Take or keep the lease; return whether this holder has it. One conditional update decides between processes."""
    lease, _is_new = Lease.objects.get_or_create(name=LEASE, defaults={"until": now})
    free = Q(holder=holder) | Q(until__lte=now)
    return bool(Lease.objects.filter(free, pk=lease.pk).update(holder=holder, until=now + LEASE_FOR))


def release_lease(holder: str, now: datetime) -> None:
    """Give the lease back, so that another process need not wait for its end."""
    Lease.objects.filter(pk=LEASE, holder=holder).update(holder="", until=now)


@dataclass(frozen=True)
class _Triage:
    """What to ask for now, with the number of tries that have failed, and what to leave alone."""

    due: dict[Turn, int]
    parked: list[Turn]


def _triage(job: Task[..., bool], due: Collection[Turn], now: datetime, since: datetime) -> _Triage:
    """Return what to do about those of these turns that nobody has in hand."""
    missing = sorted(set(due) - _in_hand(job, now)) if due else []
    failures = _failures(job, now, since) if missing else {}
    parked = [turn for turn in missing if len(failures.get(turn, ())) >= TRIES]
    rested = [turn for turn in missing if turn not in parked and _has_rested(failures.get(turn, ()), now)]
    return _Triage({turn: len(failures.get(turn, ())) for turn in rested}, parked)


def _has_rested(failures: Collection[datetime], now: datetime) -> bool:
    return not failures or now >= max(failures) + FIRST_PAUSE * 2 ** (len(failures) - 1)


def _failures(job: Task[..., bool], now: datetime, since: datetime) -> dict[Turn, list[datetime]]:
    """Return when each turn's jobs began that have failed, or lost their worker. One query."""
    ended = Q(status=TaskResultStatus.FAILED) | Q(status=TaskResultStatus.RUNNING, started_at__lte=now - LIVELY)
    rows = DBTaskResult.objects.filter(ended, task_path=job.module_path, started_at__gt=since).order_by()
    found: dict[Turn, list[datetime]] = defaultdict(list)
    for arguments, started_at in rows.values_list("args_kwargs", "started_at"):
        if started_at is not None:
            found[_turn_of(arguments)].append(started_at)
    return found


def _turn_of(arguments: dict[str, list[int]]) -> Turn:
    subject, number, *_tries = arguments["args"]
    return subject, number


def _in_hand(job: Task[..., bool], now: datetime) -> set[Turn]:
    """Return the arguments of the job's rows that wait, or have begun a short while ago."""
    live = Q(status=TaskResultStatus.READY) | Q(status=TaskResultStatus.RUNNING, started_at__gt=now - LIVELY)
    rows = DBTaskResult.objects.filter(live, task_path=job.module_path).values_list("args_kwargs", flat=True)
    return set(map(_turn_of, rows))


def bury_jobs_of(worker: str, now: datetime) -> int:
    """Say of what a worker had in hand that it is lost, once that worker is known to be dead. Two queries at most."""
    running = DBTaskResult.objects.filter(status=TaskResultStatus.RUNNING).values_list("pk", "worker_ids")
    return _bury([pk for pk, workers in running if workers[-1] == worker], now)


def _bury_lost(now: datetime) -> int:
    lost = DBTaskResult.objects.filter(status=TaskResultStatus.RUNNING, started_at__lte=now - DEAD)
    return _bury(list(lost.values_list("pk", flat=True)), now)


def _bury(jobs: Collection[UUID], now: datetime) -> int:
    if not jobs:
        return 0
    lost = DBTaskResult.objects.filter(status=TaskResultStatus.RUNNING, pk__in=jobs)
    return lost.update(
        status=TaskResultStatus.FAILED,
        finished_at=now,
        exception_class_path=f"{WorkerLostError.__module__}.{WorkerLostError.__qualname__}",
    )


def _drop_old(now: datetime) -> int:
    done = Q(status=TaskResultStatus.SUCCESSFUL, finished_at__lt=now - KEPT)
    failed = Q(status=TaskResultStatus.FAILED, finished_at__lt=now - KEPT_FAILED)
    return DBTaskResult.objects.filter(done | failed).order_by().delete()[0]


class WorkerLostError(Exception):
    """The worker that ran the job is gone; what the job was for is asked for again if it is still due."""
