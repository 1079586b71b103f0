"""Asking for reviews of finished games, which are locked: by somebody who sees the game, or for a case."""

from collections.abc import Collection, Sequence
from datetime import datetime

from django.conf import settings

from accounts.models import User
from games.events import ReviewAsked, publish
from games.models import Game, Review, ReviewStatus
from games.queries.analysis.advising import to_judge


def ask_reviews(games: Collection[Game], person: User | None, now: datetime) -> int:
    """Request a review of each game for a person, None for the site's moderators; return how many an engine has to
    start now.

    A review that is under way or done stays as it is; one that was cancelled or has failed goes on where it was, and
    stays that of the person who asked for it where nobody else does. Three queries, and one for each review that goes
    on.
    """
    found = {review.game_id: review for review in Review.objects.filter(game__in=games).defer("findings")}
    asked = _begun([game.pk for game in games if game.pk not in found], person, now)
    for review in found.values():
        if review.status in (ReviewStatus.CANCELLED, ReviewStatus.FAILED):
            review.status, review.round, review.changed_at = ReviewStatus.WAITING, review.round + 1, now
            review.asked_by = person or review.asked_by
            review.save(update_fields=["status", "round", "changed_at", "asked_by"])
            asked.append(review)
    waiting = [review for review in asked if review.status == ReviewStatus.WAITING]
    for review in waiting:
        publish(ReviewAsked(review_id=review.pk, done=review.done))
    return len(waiting)


def _begun(games: Sequence[int], person: User | None, now: datetime) -> list[Review]:
    totals = to_judge(games)
    reviews = [
        Review(
            game_id=game,
            asked_by=person,
            status=ReviewStatus.WAITING if game in totals else ReviewStatus.DONE,
            simulations=settings.REVIEW_SIMULATIONS,
            total=totals.get(game, 0),
            asked_at=now,
            changed_at=now,
        )
        for game in games
    ]
    return Review.objects.bulk_create(reviews)
