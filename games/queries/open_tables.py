"""Open tables that a player may join without choosing among them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from games.base.access import Viewer
from games.clock import TimeControl
from games.models import Game, Occupant

#: How many of the oldest tables are looked at, and how many of them are offered.
LOOKED_AT, OFFERED = 40, 5
#: How many open tables are listed at most.
LISTED = 100


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


def open_tables() -> Sequence[OpenTable]:
    """Return the public tables with a seat free for anyone, the newest first, at most a hundred. Two queries."""
    tables = Game.objects.filter(is_listed=True).select_related("creator").prefetch_related("players")
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
        for game in tables.order_by("-created_at", "-pk")[:LISTED]
    ]


def tables_to_join(user: Viewer, variants: Collection[str]) -> tuple[str, ...]:
    """Return the slugs of public tables of these variants that this person may join, the best first. Two queries.

    The fewer seats are free, the better; among equals the table that has waited longest. Tables with manual passes are
    left out: a player who has not read what was agreed would not expect them.
    """
    tables = Game.objects.filter(is_listed=True, variant__in=variants, declares_passes=False)
    if user.pk is not None:
        tables = tables.exclude(creator=user.pk).exclude(players__user=user.pk)
    found = list(tables.order_by("created_at", "pk").prefetch_related("players")[:LOOKED_AT])
    found.sort(key=lambda game: sum(player.user_id is None and not player.bot for player in game.players.all()))
    return tuple(game.slug for game in found[:OFFERED])


def own_open_table(user: Viewer, variants: Collection[str]) -> str:
    """Return the slug of the newest table of these variants where this person waits for anyone, or "". One query."""
    tables = Game.objects.filter(is_listed=True, variant__in=variants, creator=user.pk, players__user=user.pk)
    return tables.order_by("-created_at").values_list("slug", flat=True).first() or ""
