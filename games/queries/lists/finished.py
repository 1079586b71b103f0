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

    One query, two or three where another person looks.
    """
    if viewer.pk == user.pk:
        return own_finished(user), finished_by_kind(user.pk)
    seats = finished_seats(user)
    public, counts = seats.filter(is_public=True), finished_by_kind(user.pk, is_public=True)
    if viewer.pk is None:
        return Lists([public]), counts
    mine = Player.objects.filter(user=viewer.pk, ended_at__isnull=False, is_public=False)
    shared, found = _in_common(seats.filter(is_public=False), user, mine)
    # Games of both parts come in one order.
    return Lists([public, shared] if found else [public]), counts + found


def _in_common(
    seats: QuerySet[Player], user: User, others: QuerySet[Player]
) -> tuple[QuerySet[Player], Counter[tuple[str, str]]]:
    """Return only this person's seats in games where one of the other seats is, too, and how these ended, counted.

    One query where the other seats are none, else two.
    """
    few = _few_games(others)
    if few is None:
        shared = seats.filter(Exists(others.filter(game=OuterRef("game"))))
        rows = shared.order_by().values_list("variant", "result").annotate(Count("pk"))
        return shared, Counter({(variant, result): number for variant, result, number in rows})
    found = list(_seats_in(user, few).values_list("pk", "variant", "result")) if few else []
    shared = Player.objects.filter(pk__in=[pk for pk, _variant, _result in found]).select_related("game")
    return shared, Counter((variant, result) for _pk, variant, result in found)


def shared_seats(user: User, others: QuerySet[Player]) -> list[int] | None:
    """Return the keys of this person's seats in the games of a few other seats, None if these are many (two queries).

    Named by their keys, the database need not go through thousands of the person's own.
    """
    few = _few_games(others)
    return None if few is None else list(_seats_in(user, few).values_list("pk", flat=True)) if few else []


def _few_games(seats: QuerySet[Player]) -> list[int] | None:
    few = list(seats.order_by().values_list("game", flat=True)[: FEW_GAMES + 1])
    return None if len(few) > FEW_GAMES else few


def _seats_in(user: User, games: list[int]) -> QuerySet[Player]:
    return Player.objects.filter(user=user, game__in=games)
