"""One worker: runs jobs one after the other, quick ones before long ones, until asked to stop or grown too large.

Workers do not wait for each other. With two or more of them one takes no long jobs at all, so that no game ever waits
behind the long think of another game's bot, or for a mail server that does not answer; a worker that takes both kinds
serves those that have waited longest, a little in favour of the quick. With long jobs people take turns, and with quick
ones as soon as they have to wait (`games.jobs.fairness`).
"""

import logging
import resource
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from types import FrameType
from typing import cast

from django.conf import settings
from django.core.mail import get_connection
from django.db import close_old_connections, connection
from django.template.loader import get_template
from django.utils import timezone, translation
from django.utils.translation import gettext

from games import jobs
from games.bots.limit import HANGING_SECONDS
from games.bots.thinker import Thinker, use_thinker
from games.positions import load_boards
from games.sweep import note_starved
from games.tasks import people_of

logger = logging.getLogger(__name__)

#: The queues whose jobs are done in a moment. Any other may take its time, as e-mails do.
QUICK = ("bots",)

#: A worker that takes both does a quick job before a long one that could be done at most this much earlier.
STEP_BACK = timedelta(seconds=2)
#: Quick jobs are done in order while the first of them has not waited for longer than this: looking whose they are
#: costs more than most of them.
PATIENCE = timedelta(seconds=1)
#: How far the thinker of quick jobs lets others go first, at most: a player waits for these bots and hints. Beside a
#: program that takes all it can get it has a quarter of a processor, where the lowest priority has a seventieth.
QUICK_NICENESS = 5
#: A worker says so often that it is alive, well within the time after which it is taken for dead (`games.sweep`), and
#: for so long, longer than a think that hangs.
EVERY, LONGEST = timedelta(seconds=10), timedelta(seconds=HANGING_SECONDS + 30)
STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT)
_MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024


@dataclass(frozen=True)
class Thinkers:
    """Who thinks for a worker: one for quick jobs, and one for long ones if it takes those; None thinks by itself."""

    quick: Thinker | None
    long: Thinker | None

    @classmethod
    def forked(cls, niceness: int, *, takes_long: bool) -> "Thinkers":
        """Return thinkers that let others go first by so much, the quick one by no more than `QUICK_NICENESS`."""
        return cls(Thinker(min(niceness, QUICK_NICENESS)), Thinker(niceness) if takes_long else None)

    @property
    def are_alive(self) -> bool:
        """Whether each of them can be asked."""
        return all(each.is_alive for each in (self.quick, self.long) if each)

    def was_starved(self) -> bool:
        """Whether other programs have kept the last think from its processor for long. It is told once."""
        return any(each.was_starved() for each in (self.quick, self.long) if each)

    @property
    def peak(self) -> int:
        """The bytes that the larger of them has ever held."""
        return max((each.peak for each in (self.quick, self.long) if each), default=0)


class JobWorker:
    """A worker that chooses its next job by what has waited longest, and stops when it has grown too large."""

    def __init__(self, identity: str, *, takes_long: bool = True, thinkers: Thinkers | None = None) -> None:
        self.identity = identity
        self.takes_long = takes_long
        self.thinkers = thinkers or Thinkers(None, None)
        self.alarm = jobs.alarm() if takes_long else jobs.alarm(only=QUICK)
        self.pulse = Pulse()
        self.is_running = True
        self.is_busy = False
        #: The quick jobs that this worker has begun last. There are too many to look them up among all that is kept.
        self.begun: deque[jobs.Job] = deque(maxlen=jobs.REMEMBERED)

    def run(self) -> None:
        """Run jobs until a signal asks to stop or this process has grown so large that a new one should replace it."""
        with closing(self.alarm), self.pulse:
            while self.is_running and self.thinkers.are_alive and not is_too_large(self.thinkers.peak):
                self._run_next()
        if not self.thinkers.are_alive:
            logger.warning("This worker makes room: the process that thought for it has ended.")
        elif self.is_running:
            logger.info("This worker makes room: it has held more than %s MiB.", settings.WORKER_MEMORY)

    def _run_next(self) -> None:
        """Run the job whose turn it is; wait a moment if there is none."""
        close_old_connections()
        # From here on a signal waits until the job is done: no other worker would take what is claimed.
        self.is_busy = True
        self.alarm.reset()
        job = self.take()
        if job is not None:
            self.pulse.take(job)
            use_thinker(self.thinkers.quick if job.queue in QUICK else self.thinkers.long)
            jobs.run_job(job)
            use_thinker(None)
            self.pulse.let_go()
            if self.thinkers.was_starved():
                note_starved(timezone.now())
        self.is_busy = False
        if job is None and self.is_running:
            self.alarm.wait()

    def take(self) -> jobs.Job | None:
        """Claim the next job, None if there is none. One query while nothing waits."""
        job = jobs.claim_next(self.identity, self.next_job)
        if job is not None and job.queue in QUICK:
            self.begun.append(replace(job, started_at=timezone.now()))
        return job

    def next_job(self) -> jobs.Job | None:
        """Return the job whose turn it is, which another worker may claim first."""
        first = jobs.first_ready() if self.takes_long else jobs.first_ready(only=QUICK)
        if first is None:
            return None
        if not self.takes_long:
            return self._quick_in_turn(first)
        # The first of all is also the first of its own kind.
        other = jobs.first_ready(but=QUICK) if first.queue in QUICK else jobs.first_ready(only=QUICK)
        quick, long = (first, other) if first.queue in QUICK else (other, first)
        if long is None or (quick is not None and long.due_since + STEP_BACK >= quick.due_since):
            return quick and self._quick_in_turn(quick)
        return jobs.first_in_turn(long, {*settings.QUEUES} - {*QUICK}, people_of)

    def _quick_in_turn(self, first: jobs.Job) -> jobs.Job:
        if timezone.now() - first.due_since <= PATIENCE:
            return first
        return jobs.first_in_turn(first, QUICK, people_of, self.begun)

    def heed_signals(self) -> None:
        """Stop from now on at the first signal after the job in hand, at the second one at once."""
        for number in STOPS:
            signal.signal(number, self.stop)

    def stop(self, _number: int, _frame: FrameType | None) -> None:
        """Stop after the job in hand; at once where there is none, or if asked a second time."""
        if not self.is_running:
            for number in STOPS:
                signal.signal(number, signal.SIG_DFL)
            sys.exit(1)
        self.is_running = False
        if not self.is_busy:
            sys.exit(0)


class Pulse:
    """Says now and then that a long job's worker is alive: on a busy machine a think takes minutes.

    Not for ever: what hangs is to be done again by another worker.
    """

    def __init__(self, clock: Callable[[], datetime] = timezone.now) -> None:
        self._clock = clock
        self._held: tuple[jobs.Job, datetime] | None = None
        self._is_over = threading.Event()

    def __enter__(self) -> None:
        threading.Thread(target=self._beat, daemon=True, name="pulse").start()

    def __exit__(self, *_error: object) -> None:
        self._is_over.set()

    def take(self, job: jobs.Job) -> None:
        """Note that the worker has begun a job."""
        self._held = job, self._clock()

    def let_go(self) -> None:
        """Note that the job is done."""
        self._held = None

    def beat(self) -> None:
        """Say that the worker is alive, if it has had a job in hand for a while. One query or two; none otherwise."""
        held, now = self._held, self._clock()
        if held is not None and EVERY <= now - held[1] <= LONGEST:
            jobs.say_alive(held[0], now)

    def _beat(self) -> None:
        while not self._is_over.wait(EVERY.total_seconds()):
            try:
                self.beat()
            except jobs.UNREACHABLE as error:
                logger.warning("It cannot be said that a worker is alive (%s).", type(error).__name__)
            finally:
                connection.close()


def load_what_jobs_use() -> None:
    """Load boards, catalogues and the templates of messages: what the first job would otherwise wait for."""
    load_boards()
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            gettext("")
    # Loads the library by which mails are sent.
    get_connection()
    for folder in (Path(each) for each in cast("list[str]", settings.TEMPLATES[0]["DIRS"])):
        for path in (*folder.rglob("*.txt"), *folder.glob("games/notifications/*.html")):
            get_template(str(path.relative_to(folder)))


def work(number: int, count: int, identity: str, predecessor: str, *, niceness: int = 0) -> None:
    """Run worker `number` (from 0) of `count`; first fail the jobs of `predecessor`, if given.

    Its thinkers let other processes go first by so much; the worker itself does not.
    """
    takes_long = count == 1 or number > 0
    # Before anything is asked of the database: no connection may be shared with them.
    thinkers = Thinkers.forked(niceness, takes_long=takes_long)
    if predecessor:
        jobs.fail_jobs_of(predecessor, timezone.now())
    worker = JobWorker(identity, takes_long=takes_long, thinkers=thinkers)
    worker.heed_signals()
    worker.run()


def hand_back(identity: str) -> None:
    """Fail the job of a worker that was killed, so that the sweep asks for it again without waiting."""
    jobs.fail_jobs_of(identity, timezone.now())


def is_too_large(thinking: int = 0) -> bool:
    """Whether this process, or one that thinks for it, has ever held more memory than `WORKER_MEMORY` allows.

    `thinking` is how many bytes that one has held.
    """
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _MAXRSS_UNIT
    return max(peak, thinking) > settings.WORKER_MEMORY * 1024 * 1024
