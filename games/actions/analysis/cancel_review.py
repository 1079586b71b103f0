"""Cancel the review of a game."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from games.base import access
from games.errors import NotSeated, WrongStatus
from games.models import Review, ReviewStatus
from games.queries.analysis.advising import UNDER_WAY


@transaction.atomic
def cancel_review(user: User, slug: str, token: str = "", *, now: datetime | None = None) -> None:
    """Stop a review that is under way; what was found is kept, and asked for again it goes on from there.

    Raises:
        NotFound: there is no such game for this person.
        WrongStatus: nothing is under way.
        NotSeated: another person asked for it, and the user did not play.

    """
    game = access.game_to_change(user, slug, token)
    under_way = Review.objects.filter(game=game, status__in=UNDER_WAY).defer("findings")
    review = under_way.select_for_update().first()
    if review is None:
        raise WrongStatus(_("No review of this game is under way."), code="no-review")
    if review.asked_by_id != user.pk and access.seat_of(game, user) is None:
        raise NotSeated(_("Only the players and the person who asked for the review can cancel it."), code="not-asker")
    review.status, review.changed_at = ReviewStatus.CANCELLED, now or timezone.now()
    review.save(update_fields=["status", "changed_at"])
