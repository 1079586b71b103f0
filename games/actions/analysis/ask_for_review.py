"""Ask for the review of a finished game."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.base import access
from games.table.reviewing import ask_reviews


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
    return ask_reviews([game], user, now or timezone.now()) > 0
