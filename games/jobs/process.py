"""What a process that runs jobs says and knows of itself: that it is alive, kept from working, or grown too large."""

import logging
import resource
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.utils import timezone

from games import jobs

logger = logging.getLogger(__name__)

#: A worker says so often that it is alive, well within the time after which it is taken for dead
#: (`games.background.sweep`), and for so long, longer than a think that hangs.
PULSE_EVERY, LONGEST_PULSE = timedelta(seconds=10), timedelta(seconds=330)
#: A job, or a think, that waited for a processor for longer than this was kept from it by other programs.
STARVED_SECONDS = 10.0
_MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024


@dataclass(frozen=True)
class _Held:
    """A job in hand, since when, and for how long its thread had waited for a processor until then."""

    job: jobs.Job
    since: datetime
    waited: float


class Pulse:
    """Says now and then of jobs that take long that their worker is alive: on a busy machine a think takes minutes.

    Not for ever: what hangs is to be done again by another worker. Where other programs keep a job from the processors,
    it is told by `note_starved`.
    """

    def __init__(
        self,
        clock: Callable[[], datetime] = timezone.now,
        note_starved: Callable[[datetime], None] | None = None,
    ) -> None:
        self._clock = clock
        self._note_starved = note_starved
        self._held: dict[int, _Held] = {}
        self._is_over = threading.Event()

    def __enter__(self) -> None:
        threading.Thread(target=self._beat, daemon=True, name="pulse").start()

    def __exit__(self, *_error: object) -> None:
        self._is_over.set()

    def take(self, job: jobs.Job) -> None:
        """Note that this thread has begun a job."""
        self._held[id(job)] = _Held(job, self._clock(), seconds_without_processor())

    def let_go(self, job: jobs.Job) -> None:
        """Note that the job is done, in the thread that has done it. Two queries where it was kept from a processor."""
        held = self._held.pop(id(job), None)
        if held is None or self._note_starved is None or seconds_without_processor() - held.waited <= STARVED_SECONDS:
            return
        try:
            self._note_starved(self._clock())
        except jobs.UNREACHABLE as error:
            logger.warning("It cannot be said that jobs are kept from the processors (%s).", type(error).__name__)

    def beat(self) -> None:
        """Say of each job that has been in hand for a while that its worker is alive. A query or two each."""
        now = self._clock()
        for held in tuple(self._held.values()):
            if PULSE_EVERY <= now - held.since <= LONGEST_PULSE:
                jobs.send_heartbeat(held.job, now)

    def _beat(self) -> None:
        while not self._is_over.wait(PULSE_EVERY.total_seconds()):
            try:
                self.beat()
            except jobs.UNREACHABLE as error:
                logger.warning("It cannot be said that a worker is alive (%s).", type(error).__name__)
            finally:
                connection.close()


def seconds_without_processor() -> float:
    """Return for how long this thread, since it began, could have worked and had no processor; 0 where none says."""
    try:
        # Linux: nanoseconds with a processor, nanoseconds in the queue for one, and how often it had one.
        told = Path(f"/proc/self/task/{threading.get_native_id()}/schedstat").read_text("ascii").split()
    except OSError:
        return 0.0
    return int(told[1]) / 1e9


def is_too_large(thinking: int = 0) -> bool:
    """Whether this process, or one that thinks for it, has ever held more memory than `WORKER_MEMORY` allows.

    `thinking` is how many bytes that one has held.
    """
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _MAXRSS_UNIT
    return max(peak, thinking) > settings.WORKER_MEMORY * 1024 * 1024
