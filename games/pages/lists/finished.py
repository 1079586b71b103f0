"""The finished games of one person: their seats, their rows, and those they have in common with others."""

from collections.abc import Mapping, Sequence

from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import User
from games.models import Player, SeatResult
from games.pages.lists import cards
from games.pages.lists.cards import GameCard

#: At most this many games of another person are named in a query; with more they are looked up one by one.
FEW_GAMES = 100


def finished_seats(user: User) -> QuerySet[Player]:
    """Return the seats this person held in finished games."""
    return Player.objects.filter(user=user, ended_at__isnull=False).select_related("game")


def results_sum(counts: Mapping[str, int]) -> int:
    """Return how many games were won, tied or lost, together."""
    return sum(counts.get(result, 0) for result in SeatResult)


def in_common(seats: QuerySet[Player], user: User, others: QuerySet[Player]) -> QuerySet[Player]:
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


def finished_rows(user_id: int | None, seats: list[Player], *, is_mine: bool = True) -> Sequence[GameCard]:
    """Return the rows of these seats' games as this person, or another one, sees them (two queries)."""
    cards.load_players([seat.game for seat in seats])
    return tuple(cards.finished_card(seat.game, user_id, is_mine=is_mine) for seat in seats)
