"""The studies of a person, without their records."""

from accounts.models import User
from games.models import Study


def studies_of(user: User, start: int, number: int) -> list[Study]:
    """Return so many of a person's studies, from that one on, the latest first. One query."""
    rows = Study.objects.filter(owner=user).defer("record").order_by("-created_at", "-pk")
    return list(rows[start : start + number])


def number_of_studies(user: User) -> int:
    """Return how many studies a person has. One query."""
    return Study.objects.filter(owner=user).count()


def own_studies(user: User) -> list[Study]:
    """Return all studies of a person, the latest first, without their boards. One query; they are 200 at most."""
    return list(Study.objects.filter(owner=user).defer("record", "board").order_by("-created_at", "-pk"))
