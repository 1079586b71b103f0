"""The courier: runs the jobs that send something elsewhere, several at once, since each mostly waits for an answer.

What goes out has queues of its own: e-mails, for which the host's mail server is asked; messages to addresses that took
the last one; and those to addresses that did not, or were never sent any. Each has lanes of its own, so that an address
that never ends its answer, or a mail server that hangs, keeps nothing else waiting. Of what waits in them people take
turns (`games.jobs.fairness`).

Turns alone would not do where many people, or one with many accounts, each have an address that never ends its answer:
so what has waited for its answer for a moment leaves its lane to the next, and only goes on in its thread.
"""

import logging
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import datetime
from functools import partial
from types import FrameType

from django.conf import settings
from django.db import close_old_connections, connections

from games import jobs
from games.jobs.fairness import FindPeople
from games.jobs.process import Pulse, is_too_large

logger = logging.getLogger(__name__)

#: The queues of what is sent elsewhere: e-mails, messages to addresses that took the last one, and those to others.
MAIL, PROVEN, DOUBTFUL = "mail", "proven", "doubtful"
SENT = (MAIL, PROVEN, DOUBTFUL)
#: How many jobs of each of them are begun at once.
LANES = 4
#: Seconds after which a message that is under way leaves its lane to another, and how many of a queue may be under way.
#: An e-mail keeps its lane: a mail server has no more than so many connections of ours.
LEAVES_AFTER, MOST_UNDER_WAY = 0.25, 64
#: Seconds after which it is looked again whether a lane is free, where one is wanted.
LANE_SECONDS = 0.2


class Courier:
    """Claims jobs one after the other and runs them in threads, until asked to stop or grown too large.

    For whom they are is found by `find_people`; that other programs keep one from the processors is told by
    `note_starved`.
    """

    def __init__(
        self, identity: str, find_people: FindPeople, note_starved: Callable[[datetime], None] | None = None
    ) -> None:
        self.identity = identity
        self.find_people = find_people
        self.alarm = jobs.alarm(only=SENT)
        self.pulse = Pulse(note_starved=note_starved)
        self.is_running = True
        #: Whether a job may be in its hands that no lane has yet: nobody else would take what is claimed.
        self.is_claiming = False
        #: When each job that is under way was begun, on the monotonic clock, by its queue.
        self._under_way: dict[str, list[float]] = {queue: [] for queue in SENT}
        self._changed = threading.Condition()

    def run(self) -> None:
        """Run jobs until a signal asks to stop or this process has grown so large that a new one should replace it."""
        with closing(self.alarm), self.pulse, ThreadPoolExecutor(MOST_UNDER_WAY * len(SENT)) as lanes:
            while self.is_running and not is_too_large():
                self._run_next(lanes)
        if self.is_running:
            logger.info("The courier makes room: it has held more than %s MiB.", settings.WORKER_MEMORY)

    def _run_next(self, lanes: ThreadPoolExecutor) -> None:
        """Give the job whose turn it is to a lane; wait a moment if there is none."""
        close_old_connections()
        self.alarm.reset()
        self.is_claiming = True
        job = self.take()
        if job is not None:
            lanes.submit(self._send, job, self._begin(job.queue))
        self.is_claiming = False
        if job is None and self.is_running:
            self._wait()

    def take(self) -> jobs.Job | None:
        """Claim the next job of the queues that have a free lane, None if there is none."""
        with self._changed:
            free = [queue for queue in SENT if self._has_room(queue)]
        return jobs.claim_next(self.identity, partial(self._next_job, free)) if free else None

    def _next_job(self, queues: Collection[str]) -> jobs.Job | None:
        """Return the job of these queues whose turn it is, None if none waits."""
        first = jobs.first_ready(only=queues)
        return first and jobs.first_in_turn(first, queues, self.find_people)

    def _send(self, job: jobs.Job, begun: float) -> None:
        """Run a job that was begun at that moment, with connections of its own that are given back at the end."""
        self.pulse.take(job)
        try:
            jobs.run_job(job)
        except Exception:
            # It stays in hand until the sweep finds that nobody says anything of it.
            logger.exception("How job %s %s ended could not be written down.", job.name, job.arguments)
        finally:
            self.pulse.let_go(job)
            connections.close_all()
            self._end(job.queue, begun)

    def _begin(self, queue: str) -> float:
        """Note that a job is begun; return when."""
        with self._changed:
            self._under_way[queue].append(time.monotonic())
            return self._under_way[queue][-1]

    def _end(self, queue: str, begun: float) -> None:
        """Note that a job has ended that was begun at that moment."""
        with self._changed:
            self._under_way[queue].remove(begun)
            self._changed.notify_all()

    def _has_room(self, queue: str) -> bool:
        """Return whether a job of a queue may begin."""
        begun, left = self._under_way[queue], float("-inf") if queue == MAIL else time.monotonic() - LEAVES_AFTER
        return len(begun) < MOST_UNDER_WAY and sum(moment > left for moment in begun) < LANES

    def _wait(self) -> None:
        """Return when a job may be there or, where all lanes of a queue are taken, soon after one is free."""
        with self._changed:
            if not all(map(self._has_room, SENT)):
                self._changed.wait(LANE_SECONDS)
                return
        self.alarm.wait()

    def stop(self, _number: int, _frame: FrameType | None) -> None:
        """Stop after the jobs under way; at once where there are none, or if asked a second time."""
        if not self.is_running:
            signal.signal(_number, signal.SIG_DFL)
            sys.exit(1)
        self.is_running = False
        if not self.is_claiming and not any(self._under_way.values()):
            sys.exit(0)
