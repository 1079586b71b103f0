"""What everybody may know of a player: finished public games and their totals."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from accounts import names
from accounts.models import User
from games.errors import NotFound
from games.models import Player
from games.queries.cards import GameCard
from games.queries.history import finished_rows, finished_seats, outcomes
from games.queries.pages import ListPage, cut


@dataclass(frozen=True)
class Profile:
    """A player and the finished games the viewer may know of; the totals count these games only."""

    name: str
    since: datetime
    is_guest: bool
    is_me: bool
    may_be_invited: bool
    games: int
    wins: int
    ties: int
    losses: int
    page: ListPage[GameCard]


def profile(username: str, viewer: User | AnonymousUser, page: int) -> Profile:
    """Return a player's page (4 queries).

    Private games are shown, and counted, only to those who played in them.

    Raises:
        NotFound: nobody has this name, or had it and has left.

    """
    user = User.objects.filter(name_key=names.key(username), is_active=True).first() if username.isprintable() else None
    # The key is also that of names that only look like this one.
    if user is None or not names.is_same(user.username, username):
        raise NotFound(_("There is no player of this name."))
    seats = _visible(finished_seats(user), viewer)
    # Scores of different boards and ways of scoring have no common sum: only results are counted.
    won, tied, lost = (outcomes()[result] for result in ("won", "tied", "lost"))
    totals = seats.order_by().aggregate(
        games=Count("pk"), wins=Count("pk", won), ties=Count("pk", tied), losses=Count("pk", lost)
    )
    return Profile(
        name=user.username,
        since=user.date_joined,
        is_guest=user.is_guest,
        is_me=user.pk == viewer.pk,
        may_be_invited=viewer.pk is not None and not user.is_guest,
        games=totals["games"],
        wins=totals["wins"],
        ties=totals["ties"],
        losses=totals["losses"],
        page=cut(seats, page, totals["games"], partial(finished_rows, user.pk, is_mine=user.pk == viewer.pk)),
    )


def _visible(seats: QuerySet[Player], viewer: User | AnonymousUser) -> QuerySet[Player]:
    if viewer.pk is None:
        return seats.filter(game__is_public=True)
    mine = Player.objects.filter(game=OuterRef("game"), user_id=viewer.pk)
    return seats.filter(Q(game__is_public=True) | Exists(mine))
