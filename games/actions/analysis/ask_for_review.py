"""Ask for the review of a finished game."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base import access, positions
from games.table.reviewing import ask_reviews
from games.table.unadvised import check_no_help

NO_REVIEW_YET = _("These are moves of a game that you still play. They can be reviewed once it is over.")


@transaction.atomic
def ask_for_review(user: User, slug: str, token: str = "", *, now: datetime | None = None) -> bool:
    """Request a review of a finished game; return whether an engine has to start now. Any viewer may ask.

    A review that is under way or done stays as it is; one that was cancelled or has failed goes on where it was.

    Raises:
        NotFound: there is no such game for this person.
        WrongStatus: it is not over, or was played on one device and has the moves of a running game in which the
            person may ask no engine (`running-game`).

    """
    game = access.game_to_change(user, slug, token)
    access.check_reviewable(game)
    if game.is_on_one_device:
        check_no_help(user, positions.position_of(game), NO_REVIEW_YET)
    return ask_reviews([game], user, now or timezone.now()) > 0
