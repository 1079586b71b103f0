"""What programs of a person fetch by a secret address: a calendar of deadlines, and a feed of notices."""

from django.db.models import Prefetch, QuerySet

from accounts.models import User
from games.models import Game, Player

#: The most deadlines, or notices, in a feed.
MOST_ENTRIES = 100


def players_of(path: str) -> "Prefetch[str]":
    """Return what fetches the players of games, found by `path`, with what they are called."""
    return Prefetch(path, Player.objects.select_related("user", "invitee"))


def games_to_move_in(user: User) -> QuerySet[Game]:
    """Return the games in which it is this person's turn, the first deadline first. Two queries."""
    return Game.objects.filter(turn_user=user).order_by("deadline", "pk").prefetch_related(players_of("players"))
