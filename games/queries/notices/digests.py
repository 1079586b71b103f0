"""What a summary of the day says."""

from datetime import datetime

from django.db.models import F, Prefetch, QuerySet

from accounts.models import User
from games.models import Game, Player
from games.queries.people.put_away import put_away

#: The most games that a summary lists.
LISTED_GAMES = 50


def games_waiting_for(user: User, now: datetime) -> QuerySet[Game]:
    """Return the games in which it is this person's turn, with players; the least time left first, no limit last.

    Without those that are put away, and those on one device, of which nobody is told. Two queries.
    """
    turns = Game.objects.filter(turn_user=user, is_on_one_device=False)
    waiting = turns.exclude(pk__in=put_away(user, now).values("pk"))
    players = Prefetch("players", Player.objects.select_related("user", "invitee"))
    return waiting.order_by(F("deadline").asc(nulls_last=True), "pk").prefetch_related(players)[:LISTED_GAMES]
