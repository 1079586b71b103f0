"""Whom a person has blocked or muted, as that person alone may know."""

from datetime import datetime

from accounts.models import User
from games.base.children import known_to
from games.models import BlockedPerson, MutedPerson

Avoiding = type[BlockedPerson] | type[MutedPerson]
#: The two lists, by what pages and programs call them.
LISTS: dict[str, Avoiding] = {"blocked": BlockedPerson, "muted": MutedPerson}


def avoided_by(user: User, name: str, start: int = 0, number: int | None = None) -> list[tuple[User, datetime]]:
    """Return whom this person has on the list of that name, the last first, and when: so many from one on, or all.

    One query.
    """
    rows = (
        LISTS[name]
        .objects.filter(known_to(user, "other__"), person=user)
        .select_related("other")
        .order_by("-made_at", "-pk")
    )
    found = rows[start:] if number is None else rows[start : start + number]
    return [(row.other, row.made_at) for row in found]


def count_avoided(user: User, name: str) -> int:
    """Return how many people this person has on the list of that name, a thousand at most. One query."""
    return LISTS[name].objects.filter(known_to(user, "other__"), person=user).count()
