"""The finished games of one person: their seats, and those they have in common with others."""

from collections import Counter

from django.db.models import Count, Exists, OuterRef, QuerySet

from accounts.models import User
from games.base.access import Viewer
from games.models import Player
from games.queries.lists.seats import Lists
from games.queries.people.tallies import finished_by_kind

#: At most this many games of another person are named in a query; with more they are looked up one by one.
FEW_GAMES = 100


def finished_seats(user: User) -> QuerySet[Player]:
    """Return the seats this person held in finished games."""
    return Player.objects.filter(user=user, ended_at__isnull=False).select_related("game")


def own_finished(user: User) -> Lists:
    """Return the list of a person's own finished games."""
    return Lists([finished_seats(user)])


def watched_games(user: User) -> Lists:
    """Return the list of the games between bots that this person has opened, running ones too."""
    # One seat stands for a game of bots.
    seats = Player.objects.filter(seat=0, game__creator=user, game__is_of_bots=True)
    return Lists([seats.select_related("game")], "game__changed_at")


def visible_games(user: User, viewer: Viewer) -> tuple[Lists, Counter[tuple[str, str]]]:
    """Return the finished games of a person that the viewer may see, and how many ended how, by variant and result.

    One query, three or four where another person looks.
    """
    if viewer.pk == user.pk:
        return own_finished(user), finished_by_kind(user.pk)
    seats = finished_seats(user)
    public, counts = seats.filter(is_public=True), finished_by_kind(user.pk, is_public=True)
    if viewer.pk is None:
        return Lists([public]), counts
    mine = Player.objects.filter(user=viewer.pk, ended_at__isnull=False, is_public=False)
    shared = _in_common(seats.filter(is_public=False), user, mine)
    rows = shared.order_by().values_list("variant", "result").annotate(Count("pk"))
    found = Counter({(variant, result): number for variant, result, number in rows})
    # Games of both parts come in one order.
    return Lists([public, shared] if found else [public]), counts + found


def _in_common(seats: QuerySet[Player], user: User, others: QuerySet[Player]) -> QuerySet[Player]:
    """Return only this person's seats in games where one of the other seats is, too (one query, or two)."""
    shared = shared_seats(user, others)
    if shared is None:
        return seats.filter(Exists(others.filter(game=OuterRef("game"))))
    return Player.objects.filter(pk__in=shared).select_related("game")


def shared_seats(user: User, others: QuerySet[Player]) -> list[int] | None:
    """Return the keys of this person's seats in the games of a few other seats, None if these are many (two queries).

    Named by their keys, the database need not go through thousands of the person's own.
    """
    few = list(others.order_by().values_list("game", flat=True)[: FEW_GAMES + 1])
    if len(few) > FEW_GAMES:
        return None
    return list(Player.objects.filter(user=user, game__in=few).values_list("pk", flat=True)) if few else []
