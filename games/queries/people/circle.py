"""A person's circle: whom they follow, with whom they played lately, and how their games together ended."""

from collections import defaultdict
from collections.abc import Collection, Mapping

from django.db.models import Exists, OuterRef

from accounts.models import User
from games.base.apart import apart_from
from games.base.children import known_to
from games.base.welcome import last_here, seen_in
from games.models import Companion, FollowedPerson, HeadToHead, Player
from games.values import ScoreOfTwo

#: Scores between two people, by the variant, from the side of the one who asks.
Scores = Mapping[str, ScoreOfTwo]


def count_followed(user: User) -> int:
    """Return how many people this person follows, a thousand at most. One query."""
    return FollowedPerson.objects.filter(person=user).count()


def followed_by(user: User, start: int, number: int) -> list[tuple[User, bool]]:
    """Return so many of the people whom this person follows, by their names, and who follows back. One query.

    Each with when they were last here, if the person may know.
    """
    back = FollowedPerson.objects.filter(person=OuterRef("other"), other=user)
    rows = (
        FollowedPerson.objects.filter(person=user)
        .select_related("other")
        .annotate(is_friend=Exists(back), last_here=last_here(user, "other"))
    )
    found = rows.order_by("other__name_key")[start : start + number]
    return [(seen_in(row), bool(vars(row)["is_friend"])) for row in found]


def played_lately(user: User, number: int) -> list[User]:
    """Return the people this person last played with and does not follow, guests included, each as `followed_by` does.

    One query, and those of `apart_from`, whom it leaves out.
    """
    known = FollowedPerson.objects.filter(person=user).values("other")
    people = Companion.objects.filter(user=user, other__is_active=True).exclude(other__in=known)
    people = people.filter(known_to(user, "other__")).exclude(other__in=apart_from(user))
    found = people.select_related("other").order_by("-last_at")
    return [seen_in(row) for row in found.annotate(last_here=last_here(user, "other"))[:number]]


def scores_with(user: User, others: Collection[int]) -> dict[int, Scores]:
    """Return how this person's finished games beside each of these people ended, of those who played in any. One query.

    Of a table for more than two it counts who of the two had the better place.
    """
    rows = HeadToHead.objects.filter(user=user, other__in=others).order_by() if others else ()
    found: defaultdict[int, dict[str, ScoreOfTwo]] = defaultdict(dict)
    for row in rows:
        found[row.other_id][row.variant] = ScoreOfTwo(row.won, row.tied, row.lost)
    return dict(found)


def total(scores: Scores) -> ScoreOfTwo:
    """Return the score on all boards together."""
    return ScoreOfTwo(*map(sum, zip(*scores.values(), strict=True))) if scores else ScoreOfTwo()


def latest_together(user: User, other: User) -> str:
    """Return the slug of the last game that these two have finished together, empty for none. Two queries at most."""
    pair = Companion.objects.filter(user=user, other=other, games__gt=0).first()
    if pair is None:
        return ""
    theirs = Player.objects.filter(user=other, game=OuterRef("game"))
    # Nothing later is theirs: the person's own games since then are not gone through.
    own = Player.objects.filter(Exists(theirs), user=user, ended_at__isnull=False, ended_at__lte=pair.last_at)
    return own.order_by("-ended_at", "-game").values_list("game__slug", flat=True).first() or ""
