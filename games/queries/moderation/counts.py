"""How often moderators have decided what, for everyone to read."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q

from games.models import Appeal, Decision

PAST_YEAR = timedelta(days=365)


@dataclass(frozen=True)
class YearOfDecisions:
    """What was decided in a year: how often each measure, and how many appeals were answered and granted."""

    measures: Mapping[str, int]
    appeals: int
    granted: int


def decided_since(start: datetime) -> YearOfDecisions:
    """Return what was decided since then. Two queries, over what was decided since then."""
    rows = Decision.objects.filter(made_at__gte=start).order_by().values_list("measure").annotate(number=Count("pk"))
    answered = Appeal.objects.filter(decision__made_at__gte=start, closed_at__isnull=False)
    appeals = answered.aggregate(number=Count("pk"), granted=Count("pk", filter=Q(is_granted=True)))
    return YearOfDecisions(dict(rows), appeals["number"], appeals["granted"])
