"""Games against bots that their player has left alone: they are put away until the player opens them again."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import User
from games.models import Game, Player

#: After so long without a move a private game against bots alone is put away.
LEFT_ALONE = timedelta(days=14)


def put_away(user: User, now: datetime) -> QuerySet[Game]:
    """Return the games in which it is this person's turn, and that are put away.

    They are found among the games that wait for the person, which are few.
    """
    return untouched_since(user, now - LEFT_ALONE)


def untouched_since(user: Any, last: Any) -> QuerySet[Game]:
    """Return the games in which it is this person's turn, and that nobody has touched since that moment.

    Both may be blanks of a prepared query.
    """
    waiting = Game.objects.filter(turn_user=user, is_public=False, deadline=None, turn_since__lt=last).order_by()
    seats = Player.objects.filter(game=OuterRef("pk"), user__isnull=False)
    is_reopened = Exists(seats.filter(reopened_at__gte=last))
    return waiting.filter(~Q(is_reopened), ~Exists(seats.exclude(user=user)))
