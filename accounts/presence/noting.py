"""Noting who is here: in memory at once, in the database for all together, outside of every request.

A page asks for nothing here and waits for nothing: a request, or the heartbeat of an open page, only puts a key into a
set. What is in it is written by the heartbeats at most every `WRITE_EVERY` seconds, in one transaction for everybody
who came since; where a process has no open page that runs scripts, after the end of a request (`OVERDUE`). A person
costs one row in `NOTED_EVERY` seconds at most, however many pages they open. Lost with a process: half a minute of
notes.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import Error, connections, transaction
from django.utils import timezone

from accounts.models import Presence, User, Welcome

logger = logging.getLogger(__name__)

#: Seconds within which a person is noted once; and from one write to the next.
NOTED_EVERY, WRITE_EVERY = 150.0, 30.0
#: Seconds after which a request writes what no heartbeat has written.
OVERDUE = 60.0
#: The most people who are written in one transaction.
MOST_AT_ONCE = 5000


class Notes:
    """Who is to be written, and who has been lately; of one process, for all its threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._written: dict[int, float] = {}
        self._waiting: set[int] = set()
        self._wrote_at = self._waits_since = clock()

    def note(self, people: Iterable[User]) -> None:
        """Note that these people are here. No query."""
        now = self._clock()
        keys = {person.pk for person in people if person.is_noted}
        with self._lock:
            due = {key for key in keys if now - self._written.get(key, now - NOTED_EVERY) >= NOTED_EVERY}
            if due and not self._waiting:
                self._waits_since = now
            self._waiting |= due

    def take(self, after: float) -> list[int]:
        """Return who is to be written, if so many seconds have passed since the last time, else no one."""
        now = self._clock()
        with self._lock:
            if not self._waiting or now - self._wrote_at < after:
                return []
            self._wrote_at = now
            found = sorted(self._waiting)[:MOST_AT_ONCE]
            self._waiting -= {*found}
            self._written = {key: at for key, at in self._written.items() if now - at < NOTED_EVERY}
            self._written |= dict.fromkeys(found, now)
            return found

    def is_late(self) -> bool:
        """Return whether someone waits for longer than heartbeats take to write."""
        with self._lock:
            return bool(self._waiting) and self._clock() - self._waits_since >= OVERDUE


#: Of this process.
notes = Notes()


def note_here(people: Iterable[User]) -> None:
    """Note that these people are here, where people see that of each other. No query."""
    if settings.PRESENCE:
        notes.note(people)


def write_notes(now: datetime | None = None, *, after: float = WRITE_EVERY) -> int:
    """Write who was here lately, if the last time was long enough ago; return how many people.

    Three statements, none while it is too early. Who has meanwhile become someone of whom nothing is kept, is left out;
    whose row is being changed at this moment is passed over, and noted again later. A database that is away loses what
    was noted, and nothing else.
    """
    if not (keys := notes.take(after)):
        return 0
    try:
        return keep_visits(keys, now or timezone.now())
    except Error as error:
        logger.warning("Who was here could not be written (%s).", type(error).__name__)
        return 0


@transaction.atomic
def keep_visits(keys: Iterable[int], now: datetime) -> int:
    """Store that these people were here in this minute; return of how many it is kept."""
    # Locked: an account that is being closed, or a choice that is being changed, takes the row away for good.
    people = User.objects.filter(User.acting(now), pk__in=keys, is_guest=False, operator=None, is_active=True)
    kept = people.exclude(seen_by=Welcome.NO_ONE)
    locked = kept.order_by("pk").select_for_update(no_key=True, skip_locked=True).values_list("pk", flat=True)
    minute = now.replace(second=0, microsecond=0)
    rows = [Presence(person_id=key, seen_at=minute) for key in locked]
    Presence.objects.bulk_create(rows, update_conflicts=True, update_fields=["seen_at"], unique_fields=["person"])
    return len(rows)


def forget_presence(person: User) -> None:
    """Forget when a person was here, within a transaction in which their row is locked. One query."""
    Presence.objects.filter(person=person).delete()


def write_late(**_signal: Any) -> None:
    """Write after a request what no heartbeat of this process has written for a minute (hears `request_finished`).

    Django has given the connection of the request back by then, so the one that is taken here is given back here.
    """
    if not notes.is_late():
        return
    try:
        write_notes(after=0.0)
    finally:
        for each in connections.all(initialized_only=True):
            if not each.in_atomic_block:
                each.close()
