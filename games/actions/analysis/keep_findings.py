"""Keep what a worker has found for the review of a game."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from games.findings import Finding
from games.models import Review, ReviewStatus
from games.queries.analysis.advising import UNDER_WAY


@transaction.atomic
def keep_findings(
    review_id: int,
    *,
    of_round: int | None,
    done: int,
    findings: Sequence[Finding],
    has_failed: bool = False,
    now: datetime | None = None,
) -> int | None:
    """Add findings to a review of which exactly `done` positions are done; return the new number, None if that is all.

    None too where they are no longer wanted: the review was cancelled, or asked for again, or another worker was
    quicker.
    `of_round` None stands for any. `has_failed` says that no more can be found.
    """
    review = Review.objects.select_for_update().filter(pk=review_id, status__in=UNDER_WAY).first()
    if review is None or of_round not in (None, review.round):
        return None
    if review.done != len(review.findings):
        # A worker of the release before, which knows nothing of it, was the last to add some. The sweep goes on.
        review.done = len(review.findings)
        review.save(update_fields=["done"])
    if review.done != done:
        return None
    review.findings = [*review.findings, *(finding.to_json() for finding in findings)]
    review.done = len(review.findings)
    review.status = ReviewStatus.DONE if review.done >= review.total else ReviewStatus.RUNNING
    if has_failed:
        review.status = ReviewStatus.FAILED
    review.changed_at = now or timezone.now()
    review.save(update_fields=["findings", "done", "status", "changed_at"])
    return review.done if review.status == ReviewStatus.RUNNING else None
