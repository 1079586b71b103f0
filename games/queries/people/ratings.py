"""How strong people are, as it is stored: a person's ratings, those of a list, and what a game did."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db.models import Exists, F, OuterRef, QuerySet, Sum
from django.db.models.functions import Abs

from games.base.access import Viewer
from games.base.apart import People
from games.models import Group, Membership, PlayerRating, RatedFamily, RatedSeat
from games.ratings.families import FAMILIES
from games.ratings.scale import Strength

#: How many people a list of the strongest has at most.
LISTED_PEOPLE = 100
#: A list of everybody with fewer people than that goes on, up to so many, with those whose rating is provisional.
FEW = 20
#: How many of those who have moved most are listed.
MOVED = 10
#: The order of a list.
_FIRST = ("-points", "pk")


@dataclass(frozen=True)
class RatingState:
    """A rating of a person in a family, from so many games. It is provisional as long as it is on no list."""

    family: str
    strength: Strength
    games: int
    is_provisional: bool


@dataclass(frozen=True)
class RatedState:
    """What a finished game did to the rating of the viewer: their place among those who were compared,
    the place to expect, and the rating before and after.
    """

    place: int
    seats: int
    expected: float
    before: Strength
    after: Strength


def ratings_of(user_id: int) -> list[RatingState]:
    """Return the ratings of a person, in the order of the families. One query, none where the site has no ratings."""
    if not settings.RATINGS:
        return []
    found = {row.family: row for row in PlayerRating.objects.filter(user=user_id)}
    return [
        RatingState(family, row.strength, row.games, not row.is_listed)
        for family in FAMILIES
        if (row := found.get(family)) is not None
    ]


def ratings_beside(reader: Viewer, accounts: Iterable[int | None], family: str) -> dict[int, Strength]:
    """Return the ratings of these people in a family by their accounts, for a reader who wants them beside names.

    One query, none for a reader who does not, or where the host wants none there.
    """
    if not (settings.RATINGS and settings.RATINGS_BESIDE_NAMES and getattr(reader, "shows_ratings", False)):
        return {}
    rows = PlayerRating.objects.filter(user__in=[each for each in accounts if each], family=family)
    return {row.user_id: row.strength for row in rows}


@dataclass(frozen=True)
class GroupRanks:
    """Whose ratings a list is of: the members of a group but those `apart`, from whom the reader is kept apart."""

    group: Group
    apart: People


def strongest(family: str, since: datetime | None = None, among: GroupRanks | None = None) -> list[PlayerRating]:
    """Return the people of a list, the strongest first, each with their account; those of a group, if asked for.

    `since` leaves out those who have finished no rated game of the family from then on. Without bot accounts. Everybody
    may see the list of all, so it hides no one from whom a reader is kept apart. Those whose rating is provisional
    stand behind all others, in the list of a group, and in that of all where few are listed: a few people who play only
    each other are never known to within 100 points. One query, and one or two more where few are listed.
    """
    if among is None:
        listed = _lately(_ranked(family), family, since).select_related("user")
        rows = list(listed.order_by(*_FIRST)[:LISTED_PEOPLE])
        # The others are looked for only where few are listed at any time.
        if len(rows) < FEW and (since is None or has_few_listed(family)):
            more = _lately(_ranked(family, is_listed=False), family, since).select_related("user")
            rows += more.order_by(*_FIRST)[: FEW - len(rows)]
        return rows
    members = _lately(_of_members(among).filter(family=family), family, since)
    # Of those who are shown alone their accounts are read.
    first = members.order_by("-is_listed", *_FIRST).values("pk")[:LISTED_PEOPLE]
    shown = PlayerRating.objects.filter(pk__in=first, user__is_active=True).select_related("user")
    return list(shown.order_by("-is_listed", *_FIRST))


def _lately(rows: QuerySet[PlayerRating], family: str, since: datetime | None) -> QuerySet[PlayerRating]:
    """Return of these ratings of a family those of people who have finished a rated game of it from then on."""
    if since is None:
        return rows
    played = RatedSeat.objects.filter(family=family, player__user=OuterRef("user"), player__ended_at__gte=since)
    return rows.filter(Exists(played))


def has_few_listed(family: str) -> bool:
    """Return whether fewer people of a family are listed than a short list has. One query."""
    return len(_ranked(family).order_by(*_FIRST).values_list("pk", flat=True)[:FEW]) < FEW


def moved_most(
    family: str, begin: datetime, end: datetime, among: GroupRanks | None = None
) -> list[tuple[PlayerRating, float]]:
    """Return of the people of a list those whose games that ended in this time moved them most, and by how much.

    Two queries, for the list of all three.
    """
    if among is None:
        ranked = _ranked(family, is_listed=None if has_few_listed(family) else True)
    else:
        ranked = _of_members(among).filter(family=family, user__is_active=True)
    games = RatedSeat.objects.filter(
        family=family,
        points_after__isnull=False,
        player__game__is_rated=True,
        player__game__finished_at__gte=begin,
        player__game__finished_at__lt=end,
    )
    moves = games.filter(Exists(ranked.filter(user=OuterRef("player__user")))).values("player__user").order_by()
    sums = moves.annotate(change=Sum(F("points_after") - F("points_before"))).order_by(
        Abs("change").desc(), "player__user"
    )
    changes = {row["player__user"]: row["change"] for row in sums[:MOVED]}
    rows = PlayerRating.objects.filter(family=family, user__in=changes).select_related("user") if changes else ()
    found = {row.user_id: row for row in rows}
    return [(found[user], change) for user, change in changes.items() if user in found]


def _ranked(family: str, *, is_listed: bool | None = True) -> QuerySet[PlayerRating]:
    """Return the ratings of people: those that are listed, those that are not, or with None both."""
    rows = PlayerRating.objects.filter(family=family, user__is_active=True, user__operator=None)
    return rows if is_listed is None else rows.filter(is_listed=is_listed)


def _of_members(among: GroupRanks) -> QuerySet[PlayerRating]:
    """Return the ratings of a group's members, of whom none is a bot."""
    members = Membership.objects.filter(group=among.group).exclude(person__in=among.apart)
    return PlayerRating.objects.filter(user__in=members.values("person"))


def listed_families(among: GroupRanks | None = None) -> list[str]:
    """Return the families in which anybody has a rating, in their order. One query."""
    if among is not None:
        # All ratings of few people: of each family it would be asked of all of them again.
        there = set(_of_members(among).order_by().values_list("family", flat=True).distinct())
    else:
        # Asked of each family: to look for all that differ would go through everybody.
        listed, others = (PlayerRating.objects.filter(family=OuterRef("pk"), is_listed=each) for each in (True, False))
        there = set(RatedFamily.objects.filter(Exists(listed) | Exists(others)).values_list("pk", flat=True))
    return [family for family in FAMILIES if family in there]


def counts_later() -> Exists:
    """Return, to annotate games: whether somebody there has come to count since, as a guest who has an account now."""
    return Exists(RatedSeat.objects.filter(player__game=OuterRef("pk"), place=None))


#: The columns of a `RatedSeat`: its key, then those in the order in which `rated_state` takes them.
RATED_COLUMNS = (
    "pk",
    *("place", "others", "expected"),
    *("points_before", "deviation_before", "points_after", "deviation_after"),
)


def rated_state(place: int | None, others: int | None, expected: float | None, *points: float) -> RatedState | None:
    """Return what these columns say that a game did; None where there is no row, or the game came to count later."""
    if place is None or others is None or expected is None:
        return None
    before, before_deviation, after, after_deviation = points
    seats = others + 1
    return RatedState(place, seats, expected, Strength(before, before_deviation), Strength(after, after_deviation))
