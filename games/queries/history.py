"""The finished games of one person, with filters."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import User
from games.models import Player, Status
from games.queries import cards
from games.queries.cards import GameCard
from games.queries.pages import ListPage, cut


@dataclass(frozen=True)
class Filters:
    """What a list of finished games is narrowed to; empty is everything.

    `variant` is one of any size and seed, `result` is won, tied or lost.
    """

    variant: str = ""
    opponent: str = ""
    result: str = ""


def history(user: User, filters: Filters, page: int) -> ListPage[GameCard]:
    """Return this person's finished games, the latest first (3 queries)."""
    seats = narrowed(finished_seats(user), filters)
    return cut(seats, page, seats.count(), partial(finished_rows, user.pk))


def finished_seats(user: User) -> QuerySet[Player]:
    """Return the seats this person held in finished games, the latest first."""
    seats = Player.objects.filter(user=user, game__status=Status.FINISHED).select_related("game")
    return seats.order_by("-game__finished_at", "-game_id")


def narrowed(seats: QuerySet[Player], filters: Filters) -> QuerySet[Player]:
    """Return only the seats that the filters let through."""
    if filters.variant:
        sized = Q(game__variant__startswith=f"{filters.variant}:")
        seats = seats.filter(Q(game__variant=filters.variant) | sized)
    if filters.opponent:
        seats = seats.filter(Exists(_companions(user__username__iexact=filters.opponent)))
    return seats.filter(outcomes()[filters.result]) if filters.result else seats


def outcomes() -> dict[str, Q]:
    """Return what each result means for a seat."""
    shared = Exists(_companions(is_winner=True))
    return {
        "won": Q(is_winner=True) & ~Q(shared),
        "tied": Q(is_winner=True) & Q(shared),
        "lost": Q(is_winner=False),
    }


def finished_rows(user_id: int, seats: list[Player], *, is_mine: bool = True) -> Sequence[GameCard]:
    """Return the rows of these seats' games as this person, or somebody else, sees them (one query)."""
    cards.load_players([seat.game for seat in seats])
    return tuple(cards.finished_card(seat.game, user_id, is_mine=is_mine) for seat in seats)


def _companions(**conditions: object) -> QuerySet[Player]:
    return Player.objects.filter(game=OuterRef("game"), **conditions).exclude(pk=OuterRef("pk"))
