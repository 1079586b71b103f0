"""The studies of a person, without their records."""

from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

from accounts.models import User
from games.models import Study, StudyEditor


def studies_of(user: User, start: int, number: int) -> list[Study]:
    """Return so many of a person's studies, from that one on, the latest first. One query."""
    rows = Study.objects.filter(owner=user).defer("record", "changes").order_by("-created_at", "-pk")
    return list(rows[start : start + number])


def numbers_of_studies(user: User) -> tuple[int, int]:
    """Return how many studies a person has, and in how many of others they write. One query."""
    own = Study.objects.filter(owner=OuterRef("pk")).order_by().values("owner")
    others = StudyEditor.objects.filter(person=OuterRef("pk")).order_by().values("person")
    both = [Coalesce(Subquery(each.annotate(n=Count("pk")).values("n")), 0) for each in (own, others)]
    return User.objects.filter(pk=user.pk).values_list(*both).first() or (0, 0)


def own_studies(user: User) -> list[Study]:
    """Return all studies of a person, the latest first, without their boards. One query; they are 200 at most."""
    return list(Study.objects.filter(owner=user).defer("record", "board", "changes").order_by("-created_at", "-pk"))
