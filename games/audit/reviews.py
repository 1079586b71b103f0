"""Checks that reviews say of themselves how much was found."""

from collections.abc import Iterator

from django.db.models import Count

from games.audit.checks import Fault
from games.models import Review, ReviewPart, ReviewStatus


def faults_of_reviews(*, repairs: bool) -> Iterator[Fault]:
    """Yield each review under way that counts otherwise than what was found, and each done one of which parts are left.

    Two queries, and one more for each fault that is repaired.
    """
    under_way = Review.objects.exclude(status=ReviewStatus.DONE).select_related("game")
    for review in under_way.annotate(kept=Count("parts")):
        # Releases before kept what was found in the review's own row from the first step on.
        found = review.kept + len(review.findings)
        if review.done != found:
            yield Fault(review.game.slug, "review", review.done, found)
            if repairs:
                Review.objects.filter(pk=review.pk, done=review.done).update(done=found)
    left = ReviewPart.objects.filter(review__status=ReviewStatus.DONE).order_by().values_list("review__game__slug")
    for slug, count in left.annotate(count=Count("pk")):
        yield Fault(slug, "parts of a review that is done", count, 0)
        if repairs:
            ReviewPart.objects.filter(review__game__slug=slug).delete()
