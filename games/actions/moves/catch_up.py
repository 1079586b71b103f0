"""Note that a player is shown what has happened while they were away, so that it comes before the board only once."""

from django.db import transaction

from accounts.models import User
from games.models import Player


@transaction.atomic
def catch_up(user: User, slug: str, *, own: int, last: int) -> bool:
    """Note that a player is shown a game up to its move `last`; return whether that is the first time since their own.

    `own` is the number of their own last move. Of two pages that are opened at once one is the first. The game's
    version stays: nobody else is shown anything new. One query.
    """
    seat = Player.objects.filter(user=user, game__slug=slug, caught_up__lte=own)
    return bool(seat.update(caught_up=last))
