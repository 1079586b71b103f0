"""Take a game out of those that are put away, because its player has opened it."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.base import counters
from games.models import Player
from games.queries.put_away import put_away
from games.table.moves import moment


@transaction.atomic
def reopen_game(user: User, slug: str, *, now: datetime | None = None) -> bool:
    """Bring a game of this person's back among those that wait, if it is put away; return whether it was.

    The game's version stays: only the person's own lists have changed.
    """
    now = moment(now)
    away = put_away(user, now).filter(slug=slug)
    if not Player.objects.filter(user=user, game__in=away.values("pk")).update(reopened_at=now):
        return False
    counters.touch([user.pk])
    return True
