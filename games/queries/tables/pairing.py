"""At which open tables a person is seated who wants to play anyone: with people about as strong and as reliable first.

What "about" means widens the longer a table has waited.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import mean

from django.conf import settings
from django.db.models import Q

from games.base.access import Viewer
from games.base.apart import apart_from, games_without
from games.models import Game, PlayerRating
from games.queries.tables.reliability import reliability_of, shares_in_time
from games.ratings.families import rating_family
from games.ratings.scale import START
from games.roster.sides import even_ids
from games.rules.variants import NAMED, SIZED, get_variant

#: How many of the oldest tables are looked at, and how many of them are offered.
TABLES_LOOKED_AT, OFFERED = 40, 5
#: How far in points the ratings at a table may lie from one's own for it to be offered first; and how much farther for
#: each time that it has waited since it was opened.
NEAR_POINTS, FARTHER_POINTS, EACH = 150.0, 100.0, timedelta(minutes=10)
#: The same for how reliable its people are, in percent.
NEAR_SHARE, FARTHER_SHARE = 20.0, 10.0


@dataclass(frozen=True)
class Gap:
    """How far the people at a table are from one person: in points of the family, and in percent of reliability."""

    points: float = 0.0
    share: float = 0.0

    def is_wide(self, waited: timedelta) -> bool:
        """Return whether they are too far for a table that has waited so long to be among the first."""
        times = max(0.0, waited / EACH)
        return self.points > NEAR_POINTS + FARTHER_POINTS * times or self.share > NEAR_SHARE + FARTHER_SHARE * times


def alike(variant: str) -> set[str]:
    """Return the variants that are as good to somebody who asked for one: with either side of an even pair."""
    family = variant.partition(":")[0]
    return {variant, *even_ids(family)} | ({family} if family in NAMED else set())


def of_kinds(variants: Collection[str]) -> Q:
    """Return which games are of these variants; where pieces are drawn, of the same size, whatever was drawn."""
    found = Q(variant__in=variants)
    for variant in map(get_variant, sorted(variants)):
        if variant.family in SIZED:
            found |= Q(variant__startswith=f"{variant.family}:{variant.width}:")
            if variant.width == get_variant(variant.family).width:
                found |= Q(variant=variant.family)
    return found


def free_seats(game: Game) -> int:
    """Return how many seats of a table nobody has yet. No query where the players are fetched."""
    return sum(player.user_id is None and not player.bot for player in game.players.all())


def tables_to_join(
    user: Viewer, variants: Collection[str], now: datetime, filled_by: datetime | None = None
) -> tuple[str, ...]:
    """Return the slugs of public tables of these variants that this person may join, the best first.

    Four queries, and those of `apart_from`, two more where a table asks how reliable this person is. First come tables
    of people about as strong and as reliable, which means less the longer a table has waited; then the fewer seats are
    free, the better; among equals the table that has waited longest. Tables with manual passes are left out: a player
    who has not read what was agreed would not expect them. With `filled_by` those alone whose empty seats bots take by
    then.
    """
    fitting = Game.objects.filter(of_kinds(variants), is_listed=True, declares_passes=False)
    tables = games_without(apart_from(user), fitting)
    if filled_by is not None:
        tables = tables.filter(fill_at__lte=filled_by)
    if user.pk is not None:
        tables = tables.exclude(creator=user.pk).exclude(players__user=user.pk)
    found = asked_for(user, list(tables.order_by("created_at", "pk").prefetch_related("players")[:TABLES_LOOKED_AT]))
    gaps = gaps_to(user, found)
    found.sort(key=lambda game: (gaps[game.pk].is_wide(now - game.created_at), free_seats(game)))
    return tuple(game.slug for game in found[:OFFERED])


def asked_for(user: Viewer, games: Sequence[Game]) -> list[Game]:
    """Return those of the tables that do not ask for a more reliable person. Two queries where one asks, else none."""
    if not any(game.min_reliability for game in games):
        return list(games)
    own = reliability_of(user.pk) if user.pk is not None else None
    return [game for game in games if own is None or not own.is_known or own.share >= game.min_reliability]


def gaps_to(user: Viewer, games: Sequence[Game]) -> Mapping[int, Gap]:
    """Return how far the people at each table are from this person, by the tables' keys.

    The mean of their ratings counts, where one without any counts as a newcomer; and who of them is farthest in
    reliability, where all count alike of whom too little is known. Two queries, one where the site has no ratings, none
    without a table (needs the players fetched).
    """
    seated = {game.pk: {each.user_id for each in game.players.all() if each.user_id is not None} for game in games}
    people = {pk for pk in {user.pk}.union(*seated.values()) if pk is not None}
    if not games:
        return {}
    families = {game.pk: rating_family(game.variant) for game in games}
    points = _points(people, families.values())
    shares = shares_in_time(people)

    def gap(people_there: Collection[int], family: str) -> Gap:
        if not people_there:
            return Gap()
        own = points.get((user.pk or 0, family), START)
        between = abs(own - mean(points.get((who, family), START) for who in people_there))
        return Gap(between, _farthest(shares, user.pk, people_there))

    return {key: gap(people_there, families[key]) for key, people_there in seated.items()}


def _farthest(shares: Mapping[int, float], one: int | None, others: Iterable[int]) -> float:
    """Return how far the one of the others who is farthest from one person is in reliability, 0 where it is unknown."""
    if one is None or one not in shares:
        return 0.0
    return max((abs(shares[one] - shares[other]) for other in others if other in shares), default=0.0)


def _points(people: Collection[int], families: Iterable[str]) -> Mapping[tuple[int, str], float]:
    """Return the ratings of these people by person and family. One query, none where the site has no ratings."""
    if not settings.RATINGS:
        return {}
    rows = PlayerRating.objects.filter(user__in=people, family__in={*families})
    return {(row.user_id, row.family): row.points for row in rows}


def own_open_table(user: Viewer, variants: Collection[str]) -> str:
    """Return the slug of the newest table of these variants where this person waits for anyone, or "". One query."""
    tables = Game.objects.filter(of_kinds(variants), is_listed=True, creator=user.pk, players__user=user.pk)
    return tables.order_by("-created_at").values_list("slug", flat=True).first() or ""
