"""The games of one person: whose turn, which wait, which have just ended."""

from typing import Any

from django.db.models import F

from games.models import Player, Status


def count_waiting(user: Any) -> int:
    """Return in how many running games it is this person's turn (one query)."""
    return Player.objects.filter(user=user, game__status=Status.RUNNING, game__turn_seat=F("seat"), retired="").count()
