"""Update open pages to the new name of a player."""

from datetime import datetime

from django.db import transaction

from games import events
from games.base import access
from games.models import Game, Player, Status
from games.table import changes, moves


def show_new_name(user_id: int, *, now: datetime | None = None) -> None:
    """Grow the version of every table that is open or running and has this person in it, and tell it after commit.

    A transaction for each table, from old to new: what has grown stays so if a later one fails.
    """
    seated = Player.objects.filter(user=user_id, is_going=True).order_by().values("game")
    opened = Game.objects.filter(creator=user_id, status__in=(Status.OPEN, Status.RUNNING)).values("pk")
    touched = Game.objects.filter(pk__in=opened.union(seated)).order_by("pk")
    for slug in list(touched.values_list("slug", flat=True)):
        _grow(slug, moves.moment(now))


@transaction.atomic
def _grow(slug: str, now: datetime) -> None:
    game = access.game_to_close(slug)
    changes.grow(game, now)
    events.publish(events.GameEvent(**changes.about(game)))
