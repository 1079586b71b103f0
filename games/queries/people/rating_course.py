"""How the rating of a person in a family has moved: what each of their latest rated games did, and who sat opposite."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import OuterRef

from games.base.access import Viewer
from games.base.apart import apart_from
from games.base.positions import cells_placed
from games.models import AWAY_AFTER, Kind, Move, Player, RatedSeat, Reason
from games.models.player import LATEST as LATEST_FIRST
from games.ratings.families import rating_family
from games.ratings.scale import Strength
from games.rules.variants import VARIANTS, get_variant

#: So many of the latest games are looked at.
GAMES_OF_COURSE = 200


@dataclass(frozen=True)
class CourseStep:
    """What a game did to a rating when it ended, where the person finished, and with which placement they began.

    `cells` is the share of their cells that they placed, None where they did not play to the end; `is_in_time` says
    that their time did not run out, nor did a bot go on for them.
    """

    game: int
    slug: str
    ended_at: datetime
    variant: str
    seat: int
    place: int
    result: str
    opening: str
    cells: float | None
    is_in_time: bool
    before: Strength
    after: Strength


def course_of(user_id: int, family: str, viewer: Viewer) -> list[CourseStep]:
    """Return what the latest rated games of a family did, the oldest first; to others, of public games alone.

    Games that came to count later, as a guest's do, are not among them. One query.
    """
    kinds = [variant for variant in VARIANTS if rating_family(variant) == family]
    # Named by their keys alone, in the order of an index: so no more of a person's games is read than these.
    seats = Player.objects.filter(user=user_id, variant__in=kinds, ended_at__isnull=False)
    seats = seats.filter(rated__family=family, rated__points_after__isnull=False)
    if viewer.pk != user_id:
        seats = seats.filter(is_public=True)
    rows = RatedSeat.objects.filter(player__in=seats.order_by(*LATEST_FIRST).values("pk")[:GAMES_OF_COURSE])
    columns = ("game", "game__slug", "ended_at", "variant", "seat", "place", "result")
    played = ("retired", "missed", "game__variant", "game__colours", "game__board")
    points = ("points_before", "deviation_before", "points_after", "deviation_after")
    placed = Move.objects.filter(game=OuterRef("player__game"), seat=OuterRef("player__seat"), kind=Kind.PLACE)
    latest = rows.annotate(began=placed.order_by("number").values("placement")[:1])
    latest = latest.order_by("player__ended_at", "player__game")
    found = latest.values_list(*(f"player__{name}" for name in (*columns, *played)), "began", *points)
    return [_step(*row) for row in found]


def _step(*row: Any) -> CourseStep:
    game, slug, at, variant, seat, place, result, retired, missed, whole, colours, board, began, *points = row
    return CourseStep(
        *(game, slug, at, variant, seat, place, result, began or ""),
        cells=None if retired or missed >= AWAY_AFTER else share_placed(whole, colours, board, seat),
        is_in_time=retired not in (Reason.OUT_OF_TIME, Reason.VOID) and missed < AWAY_AFTER,
        before=Strength(*points[:2]),
        after=Strength(*points[2:]),
    )


def share_placed(variant: str, colours: Sequence[str], board: str, seat: int) -> float:
    """Return the share of its cells that a seat has placed, on a board as `Game.board`."""
    placed, cells = cells_placed(variant, get_variant(variant).seat_colours(colours or None)[seat], board)
    return placed / cells


def others_at(games: Collection[int], user_id: int, viewer: Viewer) -> list[Player]:
    """Return the seats of the others in these games, with their people and what the game did to these.

    Without people whose accounts are closed, and those from whom the viewer is kept apart. One query, and those of
    `apart_from`.
    """
    if not games:
        return []
    players = Player.objects.filter(game__in=games).exclude(user=user_id).order_by("game", "seat")
    away = apart_from(viewer)
    found = players.select_related("user", "rated").filter(place__isnull=False)
    return [each for each in found if each.bot or (each.user and each.user.is_active and each.user_id not in away)]
