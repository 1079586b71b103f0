"""Whom a person has blocked, as that person alone may know."""

from datetime import datetime

from accounts.models import User
from games.models import BlockedPerson


def blocked_by(user: User) -> list[tuple[User, datetime]]:
    """Return whom this person has blocked, the last first, and when. One query."""
    rows = BlockedPerson.objects.filter(person=user).select_related("other").order_by("-made_at", "-pk")
    return [(row.other, row.made_at) for row in rows]
