"""What is not allowed here, how it is decided, and how often it was."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache
from django.utils import timezone

from games.queries.moderation.counts import PAST_YEAR, YearOfDecisions, decided_since
from games.values import Measure, ReportReason

#: For how many seconds what everyone may read is not counted again.
COUNTED_FOR = 3600


@dataclass(frozen=True)
class ConductPage:
    """The reasons for which something is reported, and what was decided in the last twelve months.

    `counts` are measures in words with how often each was taken. `contact` is the host's address, empty without one.
    """

    reasons: Sequence[str]
    counts: Sequence[tuple[str, int]]
    appeals: int
    granted: int
    contact: str


def conduct_page() -> ConductPage:
    """Return the page. Two queries an hour."""
    year = cache.get("decisions-of-a-year")
    if not isinstance(year, YearOfDecisions):
        year = decided_since(timezone.now() - PAST_YEAR)
        cache.set("decisions-of-a-year", year, COUNTED_FOR)
    return ConductPage(
        reasons=[str(words) for key, words in ReportReason.choices if key != ReportReason.OTHER],
        counts=[(str(words), year.measures.get(key, 0)) for key, words in Measure.choices if key != Measure.LIFT],
        appeals=year.appeals,
        granted=year.granted,
        contact=str(settings.SITE_CONTACT).removeprefix("mailto:"),
    )
