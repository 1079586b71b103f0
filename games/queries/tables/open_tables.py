"""Open tables that a player may join, and running games that anyone may watch."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from games.base.access import Viewer
from games.base.apart import People, apart_from, games_without
from games.base.terms import is_rated_here
from games.clock import TimeControl
from games.models import Game, Occupant, Player, Status
from games.queries.rows import rows_from

#: How many open tables are listed at most.
LISTED_TABLES = 100
#: Of how many games that ended last the fullest is shown.
LATELY = 12


@dataclass(frozen=True, kw_only=True)
class OpenTable:
    """A public table with a seat free for anyone: its host, how many seats it has, how many of them are free."""

    slug: str
    name: str
    variant: str
    host: Occupant
    seats: int
    free: int
    is_rated: bool
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
            is_rated=is_rated_here(game),
            time=game.time_control,
            created_at=game.created_at,
        )
        for game in tables.order_by("-created_at", "-pk")[:LISTED_TABLES]
    ]
