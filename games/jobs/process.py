"""What a process that runs jobs says and knows of itself: that it is alive, and how large it has grown."""

import logging
import resource
import sys
import threading
from collections.abc import Callable
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection
from django.utils import timezone

from games import jobs

logger = logging.getLogger(__name__)

#: A worker says so often that it is alive, well within the time after which it is taken for dead
#: (`games.background.sweep`), and for so long, longer than a think that hangs.
PULSE_EVERY, LONGEST_PULSE = timedelta(seconds=10), timedelta(seconds=330)
_MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024


class Pulse:
    """Says now and then of jobs that take long that their worker is alive: on a busy machine a think takes minutes.

    Not for ever: what hangs is to be done again by another worker.
    """

    def __init__(self, clock: Callable[[], datetime] = timezone.now) -> None:
        self._clock = clock
        self._held: dict[int, tuple[jobs.Job, datetime]] = {}
        self._is_over = threading.Event()

    def __enter__(self) -> None:
        threading.Thread(target=self._beat, daemon=True, name="pulse").start()

    def __exit__(self, *_error: object) -> None:
        self._is_over.set()

    def take(self, job: jobs.Job) -> None:
        """Note that the worker has begun a job."""
        self._held[id(job)] = job, self._clock()

    def let_go(self, job: jobs.Job) -> None:
        """Note that the job is done."""
        self._held.pop(id(job), None)

    def beat(self) -> None:
        """Say of each job that has been in hand for a while that its worker is alive. A query or two each."""
        now = self._clock()
        for job, since in tuple(self._held.values()):
            if PULSE_EVERY <= now - since <= LONGEST_PULSE:
                jobs.send_heartbeat(job, now)

    def _beat(self) -> None:
        while not self._is_over.wait(PULSE_EVERY.total_seconds()):
            try:
                self.beat()
            except jobs.UNREACHABLE as error:
                logger.warning("It cannot be said that a worker is alive (%s).", type(error).__name__)
            finally:
                connection.close()


def is_too_large(thinking: int = 0) -> bool:
    """Whether this process, or one that thinks for it, has ever held more memory than `WORKER_MEMORY` allows.

    `thinking` is how many bytes that one has held.
    """
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _MAXRSS_UNIT
    return max(peak, thinking) > settings.WORKER_MEMORY * 1024 * 1024
