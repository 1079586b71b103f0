"""Who looks at a game now: nothing about it goes to them by channels outside the pages."""

from collections.abc import Set
from datetime import datetime

from games.base.welcome import LOOKING
from games.models import Player


def looking_at(game_id: int, now: datetime) -> Set[int]:
    """Return the people at this table who look at it now. One query."""
    lately = Player.objects.filter(game=game_id, user__isnull=False, seen_at__gt=now - LOOKING)
    return set(lately.values_list("user_id", flat=True))
