"""In which time zone a person reads moments: the one that they chose or that their browser guessed, else UTC.

What the browser of somebody without a login guesses is kept in a cookie.
"""

import zoneinfo
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts import signals
from accounts.models import User

#: Parts of the world in the names that are offered; other names are older ones of the same zones.
REGIONS = ("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")


@cache
def known() -> frozenset[str]:
    """Return the names of all zones (IANA), old names included."""
    return frozenset(zoneinfo.available_timezones())


@cache
def offered() -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """Return the zones to choose from by region, each with its name as people read it."""
    return tuple(
        (
            region,
            tuple(
                (name, name.partition("/")[2].replace("_", " "))
                for name in sorted(known())
                if name.startswith(f"{region}/")
            ),
        )
        for region in REGIONS
    )


def activate_zone(name: str) -> None:
    """Write moments in this zone from now on; in UTC if there is no such zone."""
    if name in known():
        timezone.activate(zoneinfo.ZoneInfo(name))
    else:
        timezone.deactivate()


@contextmanager
def in_zone(name: str) -> Iterator[None]:
    """Write moments in this zone for a while, then in the former one again."""
    with timezone.override(zoneinfo.ZoneInfo(name) if name in known() else None):
        yield


def _zone(name: str) -> tzinfo:
    return zoneinfo.ZoneInfo(name) if name in known() else UTC


def day_of(name: str, moment: datetime) -> date:
    """Return the day that a moment belongs to in a zone, in UTC if there is no such zone."""
    return moment.astimezone(_zone(name)).date()


def next_at_hour(name: str, hour: int, after: datetime) -> datetime:
    """Return the first moment after another at which a day of this zone is at that hour, in UTC.

    An hour that a day leaves out comes as late as it would have been, and of one that comes twice the first counts.
    """
    day = day_of(name, after) - timedelta(days=1)
    while (moment := datetime.combine(day, time(hour), _zone(name)).astimezone(UTC)) <= after:
        day += timedelta(days=1)
    return moment


def guess_of(request: HttpRequest) -> str:
    """Return the zone that this browser has guessed for a visitor; empty for none, or for nonsense."""
    name = request.COOKIES.get(settings.ZONE_COOKIE_NAME, "")
    return name if name in known() else ""


def remember_guess(answer: HttpResponse, name: str) -> None:
    """Store the browser's guess of the time zone in a cookie, unless it is no zone."""
    if name in known():
        age, is_secure = settings.SESSION_COOKIE_AGE, settings.IS_HTTPS
        answer.set_cookie(settings.ZONE_COOKIE_NAME, name, max_age=age, secure=is_secure, httponly=True, samesite="Lax")


def save_guess(person: User, name: str) -> None:
    """Keep what the browser guessed, unless it is no zone or the person has one. Quiet hours are read in it then."""
    if name not in known():
        return
    with transaction.atomic():
        if User.objects.filter(pk=person.pk, time_zone="").update(time_zone=name):
            signals.quiet_hours_changed.send(sender=User, user_id=person.pk)
