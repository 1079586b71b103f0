"""One worker: runs jobs one after the other, quick ones before long ones, until asked to stop or grown too large.

Workers do not wait for each other. With two or more of them one takes no long jobs at all, so that no game ever waits
behind the long think of another game's bot; a worker that takes both kinds serves those that have waited longest, a
little in favour of the quick. With long jobs people take turns, and with quick ones as soon as they have to wait
(`games.jobs.fairness`). What is sent elsewhere is no worker's, but the courier's (`games.jobs.courier`).
"""

import logging
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TypeAlias, cast

from django.conf import settings
from django.core.mail import get_connection
from django.db import close_old_connections, connection
from django.template.loader import get_template
from django.utils import timezone, translation
from django.utils.translation import gettext

from games import jobs
from games.background.sweep import note_starved
from games.base.positions import load_boards
from games.bots.thinker import Thinker, use_thinker
from games.jobs import UNREACHABLE
from games.jobs.courier import SENT, Courier
from games.jobs.process import Pulse, is_too_large
from games.tasks import people_of

logger = logging.getLogger(__name__)

#: The queues whose jobs are done in a moment, and those whose jobs may take their time.
QUICK = ("bots",)
LONG = tuple(queue for queue in settings.QUEUES if queue not in {*QUICK, *SENT})

#: A worker that takes both does a quick job before a long one that could be done at most this much earlier.
STEP_BACK = timedelta(seconds=2)
#: Quick jobs are done in order while the first of them has not waited for longer than this: looking whose they are
#: costs more than most of them.
WAIT_BEFORE_TURNS = timedelta(seconds=1)
#: How far the thinker of quick jobs lets others go first, at most: a player waits for these bots and hints. Beside a
#: program that takes all it can get it has a quarter of a processor, where the lowest priority has a seventieth.
QUICK_NICENESS = 5
#: Seconds after which a database or queue that could not be reached is asked again.
ASK_AGAIN_SECONDS = 1.0
#: How often a new pool looks for dead ones, and how many seconds apart: workers outlive a killed pool by six at most.
DEAD_LOOKS, DEAD_LOOK_SECONDS = 4, 2.5
STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT)

#: What finds the names of the workers of dead pools, by the file in which they stand.
FindDead: TypeAlias = Callable[[], Mapping[Path, Collection[str]]]


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

    def __init__(self, identity: str, *, long: Collection[str] = LONG, thinkers: Thinkers | None = None) -> None:
        self.identity = identity
        self.long = tuple(long)
        self.thinkers = thinkers or Thinkers(None, None)
        self.alarm = jobs.alarm(only=(*QUICK, *self.long))
        self.pulse = Pulse(note_starved=note_starved)
        self.is_running = True
        self.is_busy = False
        #: The quick jobs that this worker has begun last. There are too many to look them up among all that is kept.
        self.begun: deque[jobs.Job] = deque(maxlen=jobs.JOBS_REMEMBERED)

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
            self.pulse.let_go(job)
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
        first = jobs.first_ready(only=(*QUICK, *self.long))
        if first is None:
            return None
        if not self.long:
            return self._quick_in_turn(first)
        # The first of all is also the first of its own kind.
        other = jobs.first_ready(only=self.long) if first.queue in QUICK else jobs.first_ready(only=QUICK)
        quick, long = (first, other) if first.queue in QUICK else (other, first)
        if long is None or (quick is not None and long.due_since + STEP_BACK >= quick.due_since):
            return quick and self._quick_in_turn(quick)
        return jobs.first_in_turn(long, self.long, people_of)

    def _quick_in_turn(self, first: jobs.Job) -> jobs.Job:
        if timezone.now() - first.due_since <= WAIT_BEFORE_TURNS:
            return first
        return jobs.first_in_turn(first, QUICK, people_of, self.begun)

    def stop(self, _number: int, _frame: FrameType | None) -> None:
        """Stop after the job in hand; at once where there is none, or if asked a second time."""
        if not self.is_running:
            for number in STOPS:
                signal.signal(number, signal.SIG_DFL)
            sys.exit(1)
        self.is_running = False
        if not self.is_busy:
            sys.exit(0)


def load_what_jobs_use() -> None:
    """Load boards, catalogues and the templates of messages: what the first job would otherwise wait for."""
    load_boards()
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            gettext("")
    # Loads the library by which mails are sent.
    get_connection()
    for folder in (Path(each) for each in cast("list[str]", settings.TEMPLATES[0]["DIRS"])):
        # Letters and notices are pages too, and share their frame.
        for path in (*folder.rglob("*.txt"), *folder.rglob("mail.html"), *folder.rglob("email.html")):
            get_template(str(path.relative_to(folder)))


def work(
    number: int,
    count: int,
    identity: str,
    follows: bool,
    *,
    niceness: int = 0,
    long: Collection[str] = LONG,
    alone_since: datetime | None = None,
    find_dead: FindDead | None = None,
) -> None:
    """Run process `number` (from 0) of `count`; if another had its place and name before, first fail its jobs.

    Where no others have run the site's jobs `alone_since` a moment, all that was begun before is failed too, and so is
    what the workers of dead pools had in hand.

    The last one is the courier, all others are workers, whose thinkers let other processes go first by `niceness`. They
    take the jobs of the `long` queues too, but for the first of several.
    """
    workers = count - 1
    is_courier, takes_long = number == workers, workers == 1 or number > 0
    queues = long if takes_long else ()
    # Before anything is asked of the database: no connection may be shared with them.
    thinkers = None if is_courier else Thinkers.forked(niceness, takes_long=takes_long)
    if follows:
        once_reachable(partial(hand_back, identity))
    elif is_courier and alone_since is not None:
        once_reachable(partial(hand_back_begun_before, alone_since))
    if is_courier and find_dead:
        threading.Thread(target=look_for_dead, args=(find_dead,), daemon=True, name="look for dead pools").start()
    process = (
        Courier(identity, people_of, note_starved)
        if is_courier
        else JobWorker(identity, long=queues, thinkers=thinkers)
    )
    for stop in STOPS:
        signal.signal(stop, process.stop)
    process.run()


def once_reachable(step: Callable[[], None]) -> None:
    """Take a step as soon as database and queue can be reached.

    A worker for whom they go away ends, and the one in its place waits here to hand back what that one had in hand. It
    says so once: what keeps them away may be a wrong password or a table that is not there.
    """
    has_told = False
    while True:
        try:
            close_old_connections()
            step()
        except UNREACHABLE as error:
            if not has_told:
                logger.warning("A worker waits for its database or queue (%s).", type(error).__name__)
            has_told = True
            time.sleep(ASK_AGAIN_SECONDS)
        else:
            return


def hand_back_begun_before(moment: datetime) -> None:
    """Fail all jobs that have been in hand since before then: whoever had them is dead."""
    jobs.fail_jobs_begun_before(moment, timezone.now())


def look_for_dead(find_dead: FindDead) -> None:
    """Hand back what dead pools had in hand, until the workers that may outlive a pool that was killed have ended."""
    for look in range(DEAD_LOOKS):
        if look:
            time.sleep(DEAD_LOOK_SECONDS)
        once_reachable(lambda: hand_back_of(find_dead()))
        connection.close()


def hand_back_of(dead: Mapping[Path, Collection[str]]) -> None:
    """Fail the jobs of dead pools, by the files in which the names of their workers stand, which are removed."""
    for file, identities in dead.items():
        for identity in identities:
            hand_back(identity)
        file.unlink(missing_ok=True)


def hand_back(identity: str) -> None:
    """Fail the jobs of a process that has ended, so that the sweep asks for them again without waiting."""
    jobs.fail_jobs_of(identity, timezone.now())
