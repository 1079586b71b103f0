"""Fit the ratings of a family of variants from all its rated games."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction

from accounts.models import User
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
    replace_ratings,
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
    are written a lot at a time; the transaction that stores the ratings writes only those that have changed. One that
    breaks off leaves the old ratings as they were. Games that end meanwhile move the new ratings as they would have
    moved the old ones.
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
    _store(fitted, counted, _ratings(family, fitted, counted.by_person), before, now)
    return FamilyFit(family, len(games), PlayerRating.objects.filter(family=family).count())


@dataclass(frozen=True)
class _Counted:
    """What the games that were read say beside the fit: their keys, and in how many each person sat who is still here.

    `late` are the seats that count and have no row yet, `gone` those with a row whose account is closed.
    """

    family: str
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
            family=family,
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


#: Ratings by family and person.
_Ratings = dict[tuple[str, int], PlayerRating]


def _ratings(family: str, fitted: "Fitted", games: Mapping[int, int]) -> _Ratings:
    """Return what was fitted of these people, each with their number of games."""
    ratings = {}
    for who, strength in fitted.ratings.items():
        if isinstance(who, int) and who in games:
            ratings[family, who] = rating = PlayerRating(user_id=who, family=family, games=games[who])
            rating.strength = strength
    return ratings


@transaction.atomic
def _store(fitted: "Fitted", counted: _Counted, ratings: _Ratings, before: int, now: datetime) -> None:
    """Store what was fitted in place of what there was, moved by the games that have ended since.

    Nothing is stored where another fit was since `before`: that one may know of games that this one has not read.
    Five queries, and some for each lot of rows that are looked for, written or deleted.
    """
    families = locked_families([counted.family])
    row = families[counted.family]
    if row.fits != before:
        return
    row.fits += 1
    row.month, row.fitted_at, row.people = month_of(now), now, len(fitted.ratings)
    row.seats = {f"{variant}/{seat}": points for (variant, seat), points in fitted.seats.items()}
    row.save()
    later = _move_by_later_games(families, ratings, counted.games)
    stored = _stored(row.pk)
    changed = {who: each for (_family, who), each in ratings.items() if stored.get(who) != _columns(each)}
    # Who has gone is compared with the others, and keeps nothing.
    closed = _closed(sorted({*changed, *(who for who, _row in later)}))
    RatedSeat.objects.filter(family=row.pk, is_new=True).update(is_new=False)
    RatedSeat.objects.bulk_create(each for who, each in later if who not in closed)
    for lot in _lots(counted.gone):
        RatedSeat.objects.filter(player__in=lot).delete()
    for lot in _lots([who for who in stored if who in closed or (row.pk, who) not in ratings]):
        PlayerRating.objects.filter(family=row.pk, user__in=lot).delete()
    replace_ratings([changed[who] for who in sorted(changed.keys() - closed)])


def _stored(family: str) -> dict[int, tuple[object, ...]]:
    """Return the columns of each rating of a family by person, as `_columns` does. One query."""
    rows = PlayerRating.objects.filter(family=family).values_list("user", "points", "deviation", "games", "is_listed")
    return {who: tuple(columns) for who, *columns in rows.iterator(chunk_size=5000)}


def _columns(rating: PlayerRating) -> tuple[object, ...]:
    return rating.points, rating.deviation, rating.games, rating.is_listed


def _closed(people: Sequence[int]) -> set[int]:
    """Return those of these people whose account is closed. One query for each lot."""
    found = (User.objects.filter(pk__in=lot, erased_at__isnull=False) for lot in _lots(people))
    return {key for users in found for key in users.values_list("pk", flat=True)}


def _move_by_later_games(
    families: Mapping[str, RatedFamily], ratings: _Ratings, read: Collection[int]
) -> list[tuple[int, RatedSeat]]:
    """Move the ratings by the games that have ended since all were read; return what they did to whom, not saved.

    What is stored of that is deleted. Three queries, and two for each further lot of games.
    """
    (family,) = families
    # Rows that say nothing yet are of games that have come to count: these were read.
    steps = RatedSeat.objects.filter(family=family, is_new=True, place__isnull=False).order_by("pk")
    later = [game for game in dict.fromkeys(steps.values_list("player__game", flat=True)) if game not in read]
    ended: dict[int, EndedGame] = {}
    for lot in _lots(later):
        found = {game.key: game for game in ended_games(Player.objects.filter(game__in=lot))}
        RatedSeat.objects.filter(player__game__in=[*found]).delete()
        ended |= found
    moved: list[tuple[int, RatedSeat]] = []
    for game in (ended[key] for key in later if key in ended):
        people = {seat.player: seat.who for seat in game.seats if isinstance(seat.who, int)}
        moved += ((people[row.player_id], row) for row in move_people(game.variant, game.seats, families, ratings))
    return moved
