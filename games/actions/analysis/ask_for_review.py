"""Ask for the review of a finished game."""

from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.base import access
from games.events import ReviewAsked, publish
from games.models import Game, Review, ReviewStatus
from games.queries.advising import to_judge
from games.queries.moves import move_rows


@transaction.atomic
def ask_for_review(user: User, slug: str, token: str = "", *, now: datetime | None = None) -> bool:
    """Request a review of a finished game; return whether an engine has to start now. Any viewer may ask.

    A review that is under way or done stays as it is; one that was cancelled or has failed goes on where it was.

    Raises:
        NotFound: there is no such game for this person.
        WrongStatus: it is not over.

    """
    game = access.game_to_change(user, slug, token)
    access.check_reviewable(game)
    now = now or timezone.now()
    review = Review.objects.filter(game=game).defer("findings").first()
    if review is None:
        review = _begun(game, user, now)
    elif review.status in (ReviewStatus.CANCELLED, ReviewStatus.FAILED):
        review.status, review.round, review.changed_at = ReviewStatus.WAITING, review.round + 1, now
        review.asked_by = user
        review.save(update_fields=["status", "round", "changed_at", "asked_by"])
    else:
        return False
    if review.status == ReviewStatus.WAITING:
        publish(ReviewAsked(review_id=review.pk, done=review.done))
    return True


def _begun(game: Game, user: User, now: datetime) -> Review:
    total = to_judge(move_rows(game))
    return Review.objects.create(
        game=game,
        asked_by=user,
        status=ReviewStatus.WAITING if total else ReviewStatus.DONE,
        simulations=settings.REVIEW_SIMULATIONS,
        total=total,
        asked_at=now,
        changed_at=now,
    )
