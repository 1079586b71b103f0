"""A person's circle: whom they follow, with whom they played lately, and how their games together ended."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping

from django.db.models import Exists, OuterRef, Subquery

from accounts.models import User
from games.base.apart import apart_from
from games.models import Companion, FollowedPerson, Player, SeatResult

#: So many of a person's own games are looked at for the score of two people, the latest.
LOOKED_AT = 100

#: Results between two people, by the variant and then by how they ended for the one who asks.
Scores = Mapping[str, Counter[SeatResult]]


def count_followed(user: User) -> int:
    """Return how many people this person follows, a thousand at most. One query."""
    return FollowedPerson.objects.filter(person=user).count()


def followed_by(user: User, start: int, number: int) -> list[tuple[User, bool]]:
    """Return so many of the people whom this person follows, by their names, and who follows back. One query."""
    back = FollowedPerson.objects.filter(person=OuterRef("other"), other=user)
    rows = FollowedPerson.objects.filter(person=user).select_related("other").annotate(is_friend=Exists(back))
    found = rows.order_by("other__name_key")[start : start + number]
    return [(row.other, bool(vars(row)["is_friend"])) for row in found]


def played_lately(user: User, number: int) -> list[User]:
    """Return the people this person last played with and does not follow, guests included.

    One query, and those of `apart_from`, whom it leaves out.
    """
    known = FollowedPerson.objects.filter(person=user).values("other")
    people = Companion.objects.filter(user=user, other__is_active=True).exclude(other__in=known)
    found = people.exclude(other__in=apart_from(user)).select_related("other").order_by("-last_at")
    return [row.other for row in found[:number]]


def scores_with(user: User, others: Collection[int]) -> dict[int, Scores]:
    """Return how this person's last 100 games ended beside each of these people who played in them. One query.

    Of a table for more than two it counts who of the two had the better place.
    """
    ended = Player.objects.filter(user=user, ended_at__isnull=False)
    lately = ended.order_by("-ended_at", "-game").values("game")[:LOOKED_AT]
    own = ended.filter(game=OuterRef("game")).order_by().values("place")
    seats = Player.objects.filter(user__in=others, game__in=Subquery(lately), place__isnull=False).order_by()
    found: defaultdict[int, defaultdict[str, Counter[SeatResult]]] = defaultdict(lambda: defaultdict(Counter))
    rows = seats.annotate(own=Subquery(own)).values_list("user", "variant", "place", "own") if others else ()
    for other, variant, place, mine in rows:
        if mine is not None and place is not None:
            found[other][variant][_result(mine, place)] += 1
    return {other: dict(scores) for other, scores in found.items()}


def _result(mine: int, theirs: int) -> SeatResult:
    if mine == theirs:
        return SeatResult.TIED
    return SeatResult.WON if mine < theirs else SeatResult.LOST
