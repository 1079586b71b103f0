"""Whom a person has blocked, as that person alone may know."""

from datetime import datetime

from accounts.models import User
from games.models import BlockedPerson


def blocked_by(user: User, start: int = 0, number: int | None = None) -> list[tuple[User, datetime]]:
    """Return whom this person has blocked, the last first, and when: so many from one on, or all. One query."""
    rows = BlockedPerson.objects.filter(person=user).select_related("other").order_by("-made_at", "-pk")
    found = rows[start:] if number is None else rows[start : start + number]
    return [(row.other, row.made_at) for row in found]


def count_blocked(user: User) -> int:
    """Return how many people this person has blocked, a thousand at most. One query."""
    return BlockedPerson.objects.filter(person=user).count()
