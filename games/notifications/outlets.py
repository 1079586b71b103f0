"""What all ways out have in common: messages wait in rows until a job has sent them, and are asked for again."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from games.jobs import JobKind, enqueue
from games.jobs.courier import DOUBTFUL, PROVEN


@dataclass(frozen=True)
class Outlet:
    """A way out of the site: a kind of job, called with the key of a row and how many tries to send it have begun.

    `due` finds the rows that should have been sent before a moment, each with that number (`accounts.outbox`).
    `people_of` says whose they are; without it they are counted as no person's. `queue_of` says where the job of a row
    waits, by default where all of its kind do. `counted` is the number of the sweep that says how many were lost.
    """

    job: JobKind
    due: Callable[[datetime], set[tuple[int, int]]]
    people_of: Callable[[Collection[int]], Mapping[int, frozenset[int]]] | None = None
    queue_of: Callable[[int], str] | None = None
    counted: str = "notices"

    def ask(self, row: int, tries: int = 0, grace: timedelta = timedelta()) -> None:
        """Ask for a row to be sent after some grace. One insert, and what `queue_of` asks."""
        queue = self.queue_of(row) if self.queue_of else ""
        enqueue(self.job, row, tries, queue=queue, not_before=timezone.now() + grace if grace else None)


def queue_to(is_doubtful: bool) -> str:
    """Return the queue for messages to an address: `DOUBTFUL` if it has not taken the last one, else `PROVEN`."""
    return DOUBTFUL if is_doubtful else PROVEN
