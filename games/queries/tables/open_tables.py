"""Open tables that a player may join, and running games that anyone may watch."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import mean

from django.conf import settings

from games.base.access import Viewer
from games.base.apart import People, apart_from, games_without
from games.clock import TimeControl
from games.models import Game, Occupant, Player, PlayerRating, Status
from games.queries.rows import rows_from
from games.queries.tables.reliability import reliability_of
from games.ratings.families import rating_family
from games.ratings.scale import START

#: How many of the oldest tables are looked at, and how many of them are offered.
LOOKED_AT, OFFERED = 40, 5
#: How many open tables are listed at most.
LISTED_TABLES = 100
#: How far in points the ratings at a table may lie from one's own for it to be offered first; and how much farther for
#: each time that it has waited since it was opened.
NEAR, FARTHER, EACH = 150.0, 100.0, timedelta(minutes=10)
#: Of how many games that ended last the fullest is shown.
LATELY = 12


@dataclass(frozen=True, kw_only=True)
class OpenTable:
    """A public table with a seat free for anyone: its host, how many seats it has and how many are free."""

    slug: str
    name: str
    variant: str
    host: Occupant
    seats: int
    free: int
    time: TimeControl
    created_at: datetime


def listed_tables(apart: People, start: int, number: int) -> list[Game]:
    """Return so many public tables with a seat free for anyone, from that one on, the newest first. One query.

    Those of the people `apart` are left out, here and below: the reader is kept apart from them.
    """
    tables = games_without(apart, Game.objects.filter(is_listed=True))
    return rows_from(tables.order_by("-created_at", "-pk"), start, number)


def games_to_see(user: Viewer, apart: People, number: int) -> list[Game]:
    """Return running public games in which this person has no seat, the latest move first. One query.

    They have enough moves that there is something to see.
    """
    running = games_without(apart, Game.objects.filter(status=Status.RUNNING, is_featured=True))
    if user.pk is not None:
        running = running.exclude(pk__in=Player.objects.filter(user=user.pk, is_going=True).order_by().values("game"))
    return list(running.order_by("-changed_at", "-pk")[:number])


def latest_featured(status: Status, variants: Collection[str], apart: People) -> Game | None:
    """Return the public game of these variants with that status and the latest move, None without any. One query."""
    games = Game.objects.filter(status=status, is_featured=True, variant__in=variants)
    return games_without(apart, games).order_by("-changed_at", "-pk").first()


def fullest_featured(variants: Collection[str], apart: People) -> Game | None:
    """Return of the public games of these variants that ended last the one of most moves, without
    those that were given. One query.

    A game that someone left early leaves an empty board.
    """
    ended = Game.objects.filter(status=Status.FINISHED, is_featured=True, variant__in=variants)
    latest = games_without(apart, ended).order_by("-changed_at", "-pk")[:LATELY]
    return max(latest, key=lambda game: game.move_count - game.given_moves, default=None)


def latest_finished(apart: People, number: int) -> list[Game]:
    """Return so many of the public games that ended last, the latest first. One query."""
    ended = games_without(apart, Game.objects.filter(status=Status.FINISHED, is_featured=True))
    return list(ended.order_by("-changed_at", "-pk")[:number])


def open_tables(user: Viewer) -> Sequence[OpenTable]:
    """Return the public tables with a seat free for anyone, the newest first, at most a hundred.

    Two queries, and those of `apart_from`.
    """
    listed = games_without(apart_from(user), Game.objects.filter(is_listed=True))
    tables = listed.select_related("creator").prefetch_related("players")
    return [
        OpenTable(
            slug=game.slug,
            name=game.name,
            variant=game.variant,
            host=Occupant.of(game.creator),
            seats=len(game.players.all()),
            free=sum(player.user_id is None and not player.bot for player in game.players.all()),
            time=game.time_control,
            created_at=game.created_at,
        )
        for game in tables.order_by("-created_at", "-pk")[:LISTED_TABLES]
    ]


def tables_to_join(
    user: Viewer, variants: Collection[str], now: datetime, filled_by: datetime | None = None
) -> tuple[str, ...]:
    """Return the slugs of public tables of these variants that this person may join, the best first.

    Three queries, and those of `apart_from`, two more where a table asks how reliable this person is. First come tables
    of people about as strong, which means less the longer a table has waited; then the fewer seats are free, the
    better; among equals the table that has waited longest. Tables with manual passes are left out: a player who has
    not read what was agreed would not expect them. With `filled_by` those alone whose empty seats bots take by then.
    """
    fitting = Game.objects.filter(is_listed=True, variant__in=variants, declares_passes=False)
    tables = games_without(apart_from(user), fitting)
    if filled_by is not None:
        tables = tables.filter(fill_at__lte=filled_by)
    if user.pk is not None:
        tables = tables.exclude(creator=user.pk).exclude(players__user=user.pk)
    found = list(tables.order_by("created_at", "pk").prefetch_related("players")[:LOOKED_AT])
    if any(game.min_reliability for game in found):
        own = reliability_of(user.pk) if user.pk is not None else None
        found = [game for game in found if own is None or not own.is_known or own.share >= game.min_reliability]
    gaps = _gaps(user, found)
    found.sort(
        key=lambda game: (
            gaps[game.pk] > NEAR + FARTHER * max(0.0, (now - game.created_at) / EACH),
            sum(player.user_id is None and not player.bot for player in game.players.all()),
        )
    )
    return tuple(game.slug for game in found[:OFFERED])


def _gaps(user: Viewer, games: Sequence[Game]) -> dict[int, float]:
    """Return how far the mean rating of the people at each table lies from this person's, in points of its family.

    Who has no rating yet counts as a newcomer. One query, none where the site has no ratings.
    """
    seated = {game.pk: {each.user_id for each in game.players.all()} - {None} for game in games}
    if not settings.RATINGS:
        return dict.fromkeys(seated, 0.0)
    families = {game.pk: rating_family(game.variant) for game in games}
    people = {user.pk}.union(*seated.values()) - {None}
    rows = PlayerRating.objects.filter(user__in=people, family__in={*families.values()}) if games else ()
    points = {(row.user_id, row.family): row.points for row in rows}

    def found(who: int | None, family: str) -> float:
        return points.get((who or 0, family), START)

    return {
        key: abs(found(user.pk, families[key]) - mean(found(who, families[key]) for who in who_sits))
        if who_sits
        else 0.0
        for key, who_sits in seated.items()
    }


def own_open_table(user: Viewer, variants: Collection[str]) -> str:
    """Return the slug of the newest table of these variants where this person waits for anyone, or "". One query."""
    tables = Game.objects.filter(is_listed=True, variant__in=variants, creator=user.pk, players__user=user.pk)
    return tables.order_by("-created_at").values_list("slug", flat=True).first() or ""
