"""Fit the ratings of a family of variants from all its rated games."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction

from games.base.rated import (
    EndedGame,
    as_tables,
    ended_games,
    locked_families,
    month_of,
    move_people,
    open_accounts,
    pinned_bots,
    rated_games,
    write_ratings,
)
from games.models import Player, PlayerRating, RatedFamily, RatedSeat
from games.ratings.scale import RatedTable, Who

if TYPE_CHECKING:
    from games.ratings.fit import Fitted

Think = Callable[..., "Fitted"]


def _think_here(fit: Think, tables: Sequence[RatedTable], *, pinned: Mapping[Who, float]) -> "Fitted":
    return fit(tables, pinned=pinned)


@dataclass(frozen=True)
class FamilyFit:
    """What a fit of one family came to: how many games it has read, and how many people have a rating."""

    family: str
    games: int
    people: int


def rate_family(family: str, *, now: datetime, think: Think = _think_here) -> FamilyFit:
    """Read all rated games of a family, fit the ratings, and store them at once; `think` calls what takes long.

    Reading and fitting take as long as they take, outside any transaction; one that breaks off leaves the old ratings
    as they were. Games that end meanwhile move the new ratings as they would have moved the old ones.
    """
    # Numpy stays out of the web processes, which know this module by their jobs.
    from games.ratings.fit import fit_ratings

    before = RatedFamily.objects.filter(pk=family).values_list("fits", flat=True).first() or 0
    games = list(rated_games(family))
    tables = as_tables(games, month_of(now))
    fitted = think(fit_ratings, tables, pinned=pinned_bots(family))
    people = _store(family, fitted, games, before, now)
    return FamilyFit(family, len(games), people)


@transaction.atomic
def _store(family: str, fitted: "Fitted", games: Sequence[EndedGame], before: int, now: datetime) -> int:
    """Store what was fitted in place of what there was; return how many people have a rating.

    Nothing is stored where another fit was since `before`: that one may know of games that this one has not read.
    """
    families = locked_families([family])
    row = families[family]
    if row.fits != before:
        return PlayerRating.objects.filter(family=family).count()
    row.fits += 1
    row.month, row.fitted_at, row.people = month_of(now), now, len(fitted.ratings)
    row.seats = {f"{variant}/{seat}": points for (variant, seat), points in fitted.seats.items()}
    row.save()
    counted = {seat.player: seat.who for game in games for seat in game.seats if isinstance(seat.who, int)}
    kept = open_accounts({*counted.values()})
    ratings = _ratings(family, fitted, Counter(who for who in counted.values() if who in kept))
    moved = _move_by_later_games(families, ratings, {game.key for game in games})
    PlayerRating.objects.filter(family=family).delete()
    write_ratings(ratings.values())
    known = {*RatedSeat.objects.filter(family=family).values_list("player", flat=True)}
    RatedSeat.objects.filter(family=family, is_new=True).exclude(pk__in=moved).update(is_new=False)
    staying = {player for player, who in counted.items() if who in kept}
    # Ratings may have been switched on while somebody left, who had none yet that could be forgotten.
    RatedSeat.objects.filter(family=family, player__in=known & (counted.keys() - staying)).delete()
    late = [player for player in counted if player in staying - known]
    RatedSeat.objects.bulk_create(
        [RatedSeat(player_id=player, family=family, is_new=False) for player in late], batch_size=1000
    )
    return len(ratings)


def _ratings(family: str, fitted: "Fitted", games: Mapping[int, int]) -> dict[tuple[str, int], PlayerRating]:
    """Return what was fitted of these people, each with their number of games, by family and person."""
    ratings = {}
    for who, strength in fitted.ratings.items():
        if isinstance(who, int) and who in games:
            ratings[family, who] = rating = PlayerRating(user_id=who, family=family, games=games[who])
            rating.strength = strength
    return ratings


def _move_by_later_games(
    families: Mapping[str, RatedFamily], ratings: dict[tuple[str, int], PlayerRating], read: Collection[int]
) -> list[int]:
    """Move the ratings by the games that have ended since all were read; return the rows that say so.

    Four queries, and three for each game.
    """
    (family,) = families
    new = RatedSeat.objects.filter(family=family, is_new=True).order_by("pk").values_list("player__game", flat=True)
    rows: list[RatedSeat] = []
    for key in dict.fromkeys(game for game in new if game not in read):
        for game in ended_games(Player.objects.filter(game=key)):
            RatedSeat.objects.filter(player__game=key).delete()
            rows += move_people(game.variant, game.seats, families, ratings)
    # Who has gone is compared with the others, and keeps nothing.
    kept = open_accounts({who for _family, who in ratings})
    for gone in [each for each in ratings if each[1] not in kept]:
        del ratings[gone]
    seats = Player.objects.filter(pk__in=[row.player_id for row in rows], user__in=kept)
    stay = {*seats.values_list("pk", flat=True)}
    rows = [row for row in rows if row.player_id in stay]
    RatedSeat.objects.bulk_create(rows)
    return [row.pk for row in rows]
