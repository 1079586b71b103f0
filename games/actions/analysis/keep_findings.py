"""Keep what a worker has found for the review of a game."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.findings import Finding, FindingData
from games.models import Mistake, Player, Review, ReviewPart, ReviewStatus
from games.queries.analysis.advising import UNDER_WAY
from games.queries.analysis.mistakes import costs_in


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
    under_way = Review.objects.filter(pk=review_id, status__in=UNDER_WAY)
    people = _lock_people(review_id) if under_way.filter(total__lte=done + len(findings)).exists() else ()
    review = under_way.select_for_update().first()
    if review is None or of_round not in (None, review.round):
        return None
    if review.findings:
        _take_over(review)
    if review.done != done:
        return None
    review.done = _add(review, [finding.to_json() for finding in findings])
    review.status = ReviewStatus.FAILED if has_failed else ReviewStatus.RUNNING
    if review.done >= review.total and not has_failed:
        _finish(review)
        _note_mistakes(review, people, now or timezone.now())
    review.changed_at = now or timezone.now()
    review.save(update_fields=["done", "status", "changed_at"])
    return review.done if review.status == ReviewStatus.RUNNING else None


def _add(review: Review, findings: Sequence[FindingData]) -> int:
    """Keep each finding in a row of its own, unless there is one already; return how many there are then."""
    parts = (ReviewPart(review=review, number=finding["number"], finding=finding) for finding in findings)
    ReviewPart.objects.bulk_create(parts, ignore_conflicts=True)
    return review.parts.count()


def _take_over(review: Review) -> None:
    """Give what a worker of the release before has found, and kept in the review's own row, rows of its own.

    It also knows nothing of what others have found meanwhile, and says that so much less is done. The sweep goes on.
    """
    review.done, review.findings = _add(review, review.findings), []
    review.save(update_fields=["done", "findings"])


def _finish(review: Review) -> None:
    """Put what was found together."""
    review.status = ReviewStatus.DONE
    review.findings = list(review.parts.values_list("finding", flat=True))
    review.save(update_fields=["findings"])
    review.parts.all().delete()


def _lock_people(review_id: int) -> Sequence[int]:
    """Lock those whose mistakes the review may find, before the review itself, as people are locked everywhere."""
    seated = Player.objects.filter(game__review=review_id, user__isnull=False).order_by().values("user")
    people = (
        User.objects.select_for_update(no_key=True).filter(pk__in=seated, erased_at=None, operator=None).order_by("pk")
    )
    return list(people.values_list("pk", flat=True))


def _note_mistakes(review: Review, people: Sequence[int], now: datetime) -> None:
    """Give each of these people, who are locked, their worst placements to try again. What is there stays as it is."""
    costs = costs_in(review.game, [Finding.of_json(each) for each in review.findings])
    rows = [
        Mistake(user_id=person, game=review.game, number=number, cost=cost, due_at=now)
        for person in people
        for number, cost in sorted(costs.get(person, {}).items())
    ]
    Mistake.objects.bulk_create(rows, ignore_conflicts=True)
