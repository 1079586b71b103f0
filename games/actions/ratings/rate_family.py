"""Fit the ratings of a family of variants from all its rated games."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
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


#: So many rows are written in one transaction where games have come to count, so that nobody waits long meanwhile.
RATING_ROWS_AT_ONCE = 5000


def rate_family(family: str, *, now: datetime, think: Think = _think_here) -> FamilyFit:
    """Read all rated games of a family, fit the ratings, and store them at once; `think` calls what takes long.

    Reading and fitting take as long as they take, outside any transaction, and rows for games that have come to count
    are written a lot at a time; one that breaks off leaves the old ratings as they were. Games that end meanwhile move
    the new ratings as they would have moved the old ones.
    """
    # Numpy stays out of the web processes, which know this module by their jobs.
    from games.ratings.fit import fit_ratings

    before = RatedFamily.objects.filter(pk=family).values_list("fits", flat=True).first() or 0
    games = list(rated_games(family))
    tables = as_tables(games, month_of(now))
    fitted = think(fit_ratings, tables, pinned=pinned_bots(family))
    counted = _Counted.of(family, games)
    for lot in _lots(counted.late):
        before = _note_late(family, lot, before)
    people = _store(family, fitted, counted, before, now)
    return FamilyFit(family, len(games), people)


@dataclass(frozen=True)
class _Counted:
    """What the games that were read say beside the fit: their keys, and in how many each person sat who is still here.

    `late` are the seats that count and have no row yet, `gone` those with a row whose account is closed.
    """

    games: frozenset[int]
    by_person: Mapping[int, int]
    late: Sequence[int]
    gone: Sequence[int]

    @classmethod
    def of(cls, family: str, games: Sequence[EndedGame]) -> "_Counted":
        """Look at them before the transaction that stores the ratings. Two queries."""
        seats = {seat.player: seat.who for game in games for seat in game.seats if isinstance(seat.who, int)}
        kept = open_accounts({*seats.values()})
        # The rows of a game are written by the transaction that ends it, so that these games have theirs.
        known = frozenset(RatedSeat.objects.filter(family=family).values_list("player", flat=True))
        return cls(
            games=frozenset(game.key for game in games),
            by_person=Counter(who for who in seats.values() if who in kept),
            late=[player for player, who in seats.items() if who in kept and player not in known],
            # Ratings may have been switched on while somebody left, who had none yet that could be forgotten.
            gone=[player for player, who in seats.items() if who not in kept and player in known],
        )


def _lots(rows: Sequence[int]) -> Iterator[Sequence[int]]:
    return (rows[begin : begin + RATING_ROWS_AT_ONCE] for begin in range(0, len(rows), RATING_ROWS_AT_ONCE))


@transaction.atomic
def _note_late(family: str, players: Collection[int], before: int) -> int:
    """Write rows for these seats, which have come to count: they say nothing, and are new until the ratings are stored.

    No fit that has not read their games stores anything from then on: return how many fits there were by now. Nothing
    is written where another fit was since `before`. Three queries, and one for each thousand rows.
    """
    row = locked_families([family])[family]
    if row.fits != before:
        return before
    row.fits += 1
    row.save(update_fields=["fits"])
    still = Player.objects.filter(pk__in=players, user__erased_at=None, rated=None).values_list("pk", flat=True)
    RatedSeat.objects.bulk_create([RatedSeat(player_id=player, family=family) for player in still], batch_size=1000)
    return row.fits


@transaction.atomic
def _store(family: str, fitted: "Fitted", counted: _Counted, before: int, now: datetime) -> int:
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
    ratings = _ratings(family, fitted, counted.by_person)
    moved = _move_by_later_games(families, ratings, counted.games)
    PlayerRating.objects.filter(family=family).delete()
    write_ratings(ratings.values())
    RatedSeat.objects.filter(family=family, is_new=True).exclude(pk__in=moved).update(is_new=False)
    for lot in _lots(counted.gone):
        RatedSeat.objects.filter(player__in=lot).delete()
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
