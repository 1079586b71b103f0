"""Ask for reviews of the latest rated games of a person on whom reports wait."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.errors import NotFound, WrongStatus
from games.models import Game, PlayerReport
from games.queries.moderation.cases import has_case
from games.queries.moderation.likeness import unreviewed_games
from games.table.moderation import measures
from games.table.moves import moment
from games.table.reviewing import ask_reviews


@transaction.atomic
def ask_for_reviews(moderator: User, person: int, *, now: datetime | None = None) -> int:
    """Request a review of each of the person's latest rated games that has none, and return how many were asked for.

    They are reviews like all others, which nobody seems to have asked for; the engine judges them when nothing else is
    to be done. One that was cancelled or has failed goes on.

    Raises:
        NotFound: there is no such case for this moderator.
        WrongStatus: no report about the person is open (`case-decided`).

    """
    now = moment(now)
    judge, about, _bots = measures.lock_for_case(moderator, person)
    if not has_case(judge, about):
        raise NotFound(measures.NO_CASE)
    if not PlayerReport.objects.filter(person=about, closed_at=None).exists():
        raise WrongStatus(measures.DECIDED, code="case-decided")
    lacking = unreviewed_games(about)
    games = Game.objects.select_for_update(no_key=True).filter(pk__in=lacking).order_by("pk")
    return ask_reviews(list(games), None, now)
