"""What every outbox does: a table in which each row waits to be sent until a job has done it.

`tries` to send a row have begun, and the next may begin at `due_at`. A job names the row and that number, and the
worker that counts the try sends: so the job may come late, twice or never. Only a worker that is killed between sending
and writing that down leads to a second message.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from django.db import InterfaceError, OperationalError, close_old_connections, connection
from django.db.models import F, Model, Q, QuerySet

logger = logging.getLogger(__name__)

Row = TypeVar("Row", bound=Model)
Noted = TypeVar("Noted")

#: Seconds between the tries to write down that a message was taken, while the database is away: altogether, and with
#: what SQLite waits for its lock, less than the shortest pause after a try.
NOTE_PAUSES = (0.1, 0.4, 1.0, 2.0, 4.0, 8.0)
NOTED_WITHIN = sum(NOTE_PAUSES)

#: A row that is closed is due at no time.
NOT_CLOSED = Q(due_at__isnull=False)

#: After so many doublings a pause is longer than any that is wanted.
DOUBLINGS = 10


@dataclass(frozen=True)
class Outbox(Generic[Row]):
    """The rows of a table that wait to be sent: those of which `waiting` holds, by default until they are closed.

    After a try the next may begin when the `pause` is over. Each further pause is twice as long, up to `longest_pause`.
    """

    table: type[Row]
    pause: timedelta
    longest_pause: timedelta
    waiting: Q = NOT_CLOSED

    def due(self, before: datetime) -> set[tuple[int, int]]:
        """Return each row that should have been sent before a moment, and how many tries have begun. One query."""
        rows = self.table._default_manager.filter(self.waiting, due_at__lt=before)
        return set(rows.values_list("pk", "tries"))

    def find(self, pk: int, tries: int) -> QuerySet[Row]:
        """Return the row, if it waits and exactly that many tries have begun."""
        return self.table._default_manager.filter(self.waiting, pk=pk, tries=tries)

    def pause_after(self, tries: int) -> timedelta:
        """Return how long it is from a try to the next, if that many had begun before."""
        longer: timedelta = self.pause * 2 ** min(tries, DOUBLINGS)
        return min(longer, self.longest_pause)

    def claim(self, pk: int, tries: int, now: datetime) -> bool:
        """Count a try and put the next one off; return whether no other worker did. One conditional update."""
        return bool(self.find(pk, tries).update(tries=F("tries") + 1, due_at=now + self.pause_after(tries)))

    def put_off(self, pk: int, tries: int, until: datetime) -> None:
        """Postpone the next try until then, if `tries` have begun so far. No try is counted."""
        self.find(pk, tries).update(due_at=until)

    def close(self, pk: int, sent_at: datetime | None = None) -> None:
        """Close a row: it was sent, or is not to be sent any more."""
        self.table._default_manager.filter(pk=pk).update(due_at=None, sent_at=sent_at)


def write_down(note: Callable[[], Noted], pause: Callable[[float], object] = time.sleep) -> Noted:
    """Return what `note` does, which writes down that a message was taken; while the database is away try it again.

    What is not written down is sent a second time. Of tries that come to nothing the last one's error is raised.
    """
    ends = time.monotonic() + NOTED_WITHIN
    for seconds in NOTE_PAUSES:
        try:
            return note()
        except (OperationalError, InterfaceError) as error:
            if connection.in_atomic_block or time.monotonic() > ends:
                raise
            logger.warning("A message was taken, which cannot be written down yet (%s).", type(error).__name__)
            close_old_connections()
            pause(seconds)
    return note()
