"""The games of a person that are not over: seats and invitations by the list in which they stand."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import BigIntegerField, Count, DateTimeField, F, Prefetch, Q, QuerySet
from django.utils import timezone

from accounts.database.prepared import Prepared
from accounts.models import User
from games.base.talk import is_switched_on
from games.models import Game, Player, Status
from games.queries.people.put_away import LEFT_ALONE, put_away, untouched_since


def _kept_for(user: User) -> Q:
    return Q(invitee=user, user=None, game__status=Status.OPEN)


_SOONEST = (F("game__deadline").asc(nulls_last=True), "game__turn_since", "game_id")
_NEWEST = ("-game__changed_at", "-game_id")
#: The lists, which are never long because the tables of a person are limited, and their orders.
ORDERS = {"invited": _NEWEST, "turn": _SOONEST, "waiting": _SOONEST, "open": _NEWEST, "away": _NEWEST}
#: Which of a person's seats and invitations they show.
GOING: Mapping[str, Callable[[User, datetime], Q]] = {
    "invited": lambda user, _now: _kept_for(user) & ~Q(game__creator=user),
    "turn": lambda user, now: Q(user=user, game__turn_user=user) & ~Q(game__in=put_away(user, now).values("pk")),
    "waiting": lambda user, _now: Q(user=user, game__status=Status.RUNNING) & ~Q(game__turn_user=user),
    # A seat that is kept for the host is no invitation: a bot has named the opening pieces.
    "open": lambda user, _now: Q(user=user, game__status=Status.OPEN) | (_kept_for(user) & Q(game__creator=user)),
    "away": lambda user, now: Q(user=user, game__in=put_away(user, now).values("pk")),
}


def going_keys(user: User) -> list[int]:
    """Return the keys of seats and invitations at tables that wait or play, each found by its own index. One query.

    Joined with its games, PostgreSQL would expect one of eight seats that the person has ever had, and read every
    game there is.
    """
    going = Player.objects.filter(is_going=True).order_by().values_list("pk", flat=True)
    return list(going.filter(user=user).union(going.filter(invitee=user, user=None)))


def seats_in_list(key: str, user: User, now: datetime, going: Sequence[int], start: int, number: int) -> list[Player]:
    """Return so many of these seats and invitations in a list, from that one on, with their games. One query."""
    return list(_seats_in(key, user, now, going).order_by(*ORDERS[key])[start : start + number])


def _seats_in(key: str, user: User, now: datetime, going: Sequence[int]) -> QuerySet[Player]:
    return Player.objects.filter(GOING[key](user, now), pk__in=going).select_related("game")


def count_in_list(key: str, user: User, now: datetime, going: Sequence[int]) -> int:
    """Return how many of these seats and invitations stand in a list. One query."""
    return _seats_in(key, user, now, going).count()


def counts_by_list(user: User, now: datetime, going: Sequence[int]) -> dict[str, int]:
    """Return how many of these seats and invitations stand in each list. One query."""
    counted = {key: Count("pk", condition(user, now)) for key, condition in GOING.items()}
    found: dict[str, int] = Player.objects.filter(pk__in=going).aggregate(**counted)
    return found


def count_turns(user: User) -> int:
    """Return in how many games it is this person's turn (one query)."""
    return Game.objects.filter(turn_user=user).count()


def _waiting(user: Any, last: Any, *others: QuerySet[Player, Any]) -> QuerySet[Any, tuple[int]]:
    turns = Game.objects.filter(turn_user=user).exclude(pk__in=untouched_since(user, last).values("pk"))
    invitations = Player.objects.filter(invitee=user, user=None, is_going=True).order_by().values_list("game")
    return turns.order_by().values_list("pk").union(invitations, *others)


def _waiting_or_unread(user: Any, last: Any) -> QuerySet[Any, tuple[int]]:
    unread = Player.objects.filter(user=user, unread_messages__isnull=False)
    return _waiting(user, last, unread.order_by().values_list("game"))


#: Every page asks them.
_WAITING = Prepared(_waiting, user=BigIntegerField(), last=DateTimeField())
_WAITING_OR_UNREAD = Prepared(_waiting_or_unread, user=BigIntegerField(), last=DateTimeField())


def count_waiting(user: User) -> int:
    """Return how many games and invitations wait for this person, without those put away (one query).

    A game in which others have said something that the person has not read waits too.
    """
    waiting = _WAITING_OR_UNREAD if is_switched_on() else _WAITING
    return waiting.count(user=user.pk, last=timezone.now() - LEFT_ALONE)


def games_to_move_in(user: User, number: int, *, has_deadline: bool = False) -> list[Game]:
    """Return so many of the games in which it is this person's turn, the first deadline first. Two queries.

    With their players and what these are called; those put away too. `has_deadline` leaves out games without one.
    """
    players = Prefetch("players", Player.objects.select_related("user", "invitee"))
    turns = Game.objects.filter(turn_user=user).order_by("deadline", "pk").prefetch_related(players)
    known = {"deadline__isnull": False} if has_deadline else {"turn_since__isnull": False}
    return list(turns.filter(**known)[:number])


def going_seats(user: User, keys: Sequence[str]) -> dict[str, list[Player]]:
    """Return the person's seats and invitations in the lists of these names, with their games, in the pages' order.

    One query, and one a list.
    """
    now, going = timezone.now(), going_keys(user)
    return {key: list(_seats_in(key, user, now, going).order_by(*ORDERS[key])) for key in keys}
