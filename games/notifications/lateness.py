"""How often addresses and hosts outside were late in a row, and until when those that too often were are left alone.

Kept as leases that no process holds: so it outlives a courier, which ends at each release and when it has grown large,
and the couriers of other hosts know it too.
"""

import hashlib
import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.db import DatabaseError, transaction

from games.models import Lease

logger = logging.getLogger(__name__)

#: An address that was late so often in a row is not asked for so long.
LATE_ANSWERS, RESTS_FOR = 3, timedelta(hours=1)

#: So is a host whose addresses were, however many it has: later and for less long, for one host takes the messages of
#: thousands, and their way there may just have been closed to us for some seconds.
LATE_AT_HOST, HOST_RESTS_FOR = 6, timedelta(minutes=10)

#: How the names of these leases begin, and how many digits follow that tell one address from another.
LATE, DIGITS = "late:", 15


@dataclass(frozen=True)
class Lateness:
    """What is known of an address and its host: which leases of them there are, and how long the longest rest is."""

    address: str
    known: frozenset[str]
    rest: timedelta

    def note(self, now: datetime, *, is_late: bool) -> timedelta:
        """Note how the address answered, and return its rest; one in time is as good as new, and so is its host.

        No query where nothing was known and it was in time. While the database is away nothing is noted: what was sent
        is not to be sent again for that.
        """
        try:
            if is_late:
                return _note_late(self.address, now)
            if self.known:
                Lease.objects.filter(pk__in=self.known).delete()
        except DatabaseError as error:
            logger.warning("How an address answered cannot be noted (%s).", type(error).__name__)
        return timedelta()


def lateness_of(address: str, now: datetime) -> Lateness:
    """Return what is known of an address. One query."""
    rules = _rules_of(address)
    leases = Lease.objects.filter(pk__in=rules)
    return Lateness(
        address,
        frozenset(lease.pk for lease in leases),
        max((_rest_by(lease, rules[lease.pk][0], now) for lease in leases), default=timedelta()),
    )


@transaction.atomic
def _note_late(address: str, now: datetime) -> timedelta:
    """Count a late answer for an address and its host; return how long it rests now.

    After its rest one more late answer is enough for the next.
    """
    rests = []
    for name, (most, rests_for) in sorted(_rules_of(address).items()):
        lease, _is_new = Lease.objects.select_for_update().get_or_create(pk=name, defaults={"until": now})
        lease.holder, lease.until = f"{_times_in(lease) + 1} late answers", now + rests_for
        lease.save()
        rests.append(_rest_by(lease, most, now))
    return max(rests)


def _rules_of(address: str) -> dict[str, tuple[int, timedelta]]:
    """Return the names of the leases of an address and its host, each with how often it may be late, and its rest."""
    return {
        _name_of("address", address): (LATE_ANSWERS, RESTS_FOR),
        _name_of("host", _host_of(address)): (LATE_AT_HOST, HOST_RESTS_FOR),
    }


def _name_of(kind: str, text: str) -> str:
    # An address is a secret of the person who has set it.
    return LATE + hashlib.sha256(f"{kind} {text}".encode()).hexdigest()[:DIGITS]


def _host_of(address: str) -> str:
    """Return the host and the port of an address; the address where it has none."""
    return urlsplit(address).netloc.rpartition("@")[2].lower() or address


def _rest_by(lease: Lease, most: int, now: datetime) -> timedelta:
    return max(timedelta(), lease.until - now) if _times_in(lease) >= most else timedelta()


def _times_in(lease: Lease) -> int:
    return int(lease.holder.partition(" ")[0] or 0)
