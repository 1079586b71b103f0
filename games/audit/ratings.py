"""Fitting the ratings again from the games that the last fit has read, and what each game since has done to them."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

from django.db import transaction

from games.audit.checks import Fault
from games.base.rated import (
    EndedGame,
    as_tables,
    compared,
    locked_families,
    move_people,
    offsets_of,
    open_accounts,
    pinned_bots,
    rated_games,
)
from games.models import PlayerRating, RatedFamily, RatedSeat
from games.ratings.families import FAMILIES
from games.ratings.fit import Fitted, fit_ratings
from games.ratings.scale import Strength

#: Points by which sums on another processor may differ.
ALIKE = 0.02
#: The same of a place that was to be expected.
ALIKE_PLACES = 0.001


@dataclass(frozen=True)
class _Stored:
    """All that is stored of a family, at one moment: `games` are those that the last fit has read, `later` the others.

    The later ones are in the order in which they moved ratings. `there` are the people whose accounts are not closed.
    """

    row: RatedFamily
    ratings: Sequence[PlayerRating]
    new: Mapping[int, RatedSeat]
    games: Sequence[EndedGame]
    later: Sequence[EndedGame]
    there: frozenset[int]


def faults_of_ratings() -> Iterator[tuple[str, Fault]]:
    """Yield each family with a rating that is not what its games say. A family is read at once, and then fitted."""
    for family in FAMILIES:
        if RatedFamily.objects.filter(pk=family).exists():
            yield from ((family, fault) for fault in _faults(_read(family)))


@transaction.atomic
def _read(family: str) -> _Stored:
    row = locked_families([family])[family]
    # Those that say nothing yet are of games that the next fit is about to count.
    steps = RatedSeat.objects.filter(family=family, is_new=True, place__isnull=False).order_by("pk")
    new = {seat.player_id: seat for seat in steps}
    old = frozenset(RatedSeat.objects.filter(family=family, is_new=False).values_list("player", flat=True))
    games, ratings = list(rated_games(family)), list(PlayerRating.objects.filter(family=family))
    people = {seat.who for game in games for seat in game.seats if isinstance(seat.who, int)}
    there = open_accounts(people.union(rating.user_id for rating in ratings))
    order = {player: number for number, player in enumerate(new)}
    read, later = [], []
    for game in games:
        kept = {seat.player for seat in game.seats if seat.who in there}
        if begins := order.keys() & kept:
            later.append((min(map(order.__getitem__, begins)), _as_counted(game, kept - new.keys())))
        elif kept & old if kept else _ended_before(game, row):
            read.append(_as_counted(game, kept - old))
    later.sort(key=itemgetter(0))
    return _Stored(row, ratings, new, list(filter(_is_seated, read)), list(map(itemgetter(1), later)), there)


def _is_seated(game: EndedGame) -> bool:
    return bool(game.seats)


def _as_counted(game: EndedGame, uncounted: Collection[int]) -> EndedGame:
    """Return a game with those seats that counted then: who has claimed an account since counts from the next fit."""
    seats = (replace(seat, who=None) if seat.player in uncounted else seat for seat in game.seats)
    return replace(game, seats=compared(seats))


def _ended_before(game: EndedGame, row: RatedFamily) -> bool:
    return row.fitted_at is not None and game.ended_at <= row.fitted_at


def _faults(stored: _Stored) -> Iterator[Fault]:
    family = stored.row.pk
    fitted = fit_ratings(as_tables(stored.games, stored.row.month), pinned=pinned_bots(family))
    yield from _faults_of_seats(stored.row, fitted)
    known = _known(family, fitted, stored.games)
    yield from _faults_of_steps(stored, known)
    kept = {rating.user_id: rating for rating in stored.ratings}
    for who in sorted(stored.there.intersection({*kept, *(who for _family, who in known)})):
        one, other = kept.get(who), known.get((family, who))
        if one is None or other is None or one.games != other.games or not _are_alike(one.strength, other.strength):
            yield Fault(f"person {who}", f"rating {family}", one and _shown(one), other and _shown(other))


def _faults_of_seats(row: RatedFamily, fitted: Fitted) -> Iterator[Fault]:
    stored = offsets_of(row)
    if stored.keys() != fitted.seats.keys() or not _are_alike(stored.values(), (fitted.seats[seat] for seat in stored)):
        yield Fault("seats", f"what they are worth in {row.pk}", dict(stored), dict(fitted.seats))


def _known(family: str, fitted: Fitted, games: Iterable[EndedGame]) -> dict[tuple[str, int], PlayerRating]:
    """Return what is fitted of all people by family and person, of those too whose accounts are closed."""
    counted = Counter(seat.who for game in games for seat in game.seats)
    known: dict[tuple[str, int], PlayerRating] = {}
    for who, strength in fitted.ratings.items():
        if isinstance(who, int):
            known[family, who] = rating = PlayerRating(user_id=who, family=family, games=counted[who])
            rating.strength = strength
    return known


def _faults_of_steps(stored: _Stored, known: dict[tuple[str, int], PlayerRating]) -> Iterator[Fault]:
    """Move the ratings in `known` by each game since the last fit; yield where what it did is stored otherwise.

    Of who has closed the account since it is not kept how strong they were, nor whether they counted: what a game with
    them did to the others is taken as it is stored.
    """
    family, left = stored.row.pk, dict(stored.new)
    for game in stored.later:
        people = {seat.player: seat.who for seat in game.seats if isinstance(seat.who, int)}
        for made in move_people(game.variant, game.seats, {family: stored.row}, known):
            kept = left.pop(made.player_id, None)
            if kept is None:
                continue
            if not stored.there.issuperset(people.values()):
                for name in _DONE:
                    setattr(made, name, getattr(kept, name))
                known[family, people[made.player_id]].strength = Strength(*_points(kept)[2:])
            if not _say_the_same(kept, made):
                yield Fault(f"seat {made.player_id}", f"what a game did in {family}", _told(kept), _told(made))
    for player, kept in left.items():
        yield Fault(f"seat {player}", f"what a game did in {family}", _told(kept), None)


#: The columns of what a game did to somebody, but for what was known before.
_DONE = ("place", "others", "expected", "points_after", "deviation_after")


def _points(seat: RatedSeat) -> tuple[float, ...]:
    points = (seat.points_before, seat.deviation_before, seat.points_after, seat.deviation_after)
    return tuple(each or 0.0 for each in points)


def _say_the_same(one: RatedSeat, other: RatedSeat) -> bool:
    is_same_place = (one.place, one.others) == (other.place, other.others)
    is_expected = abs((one.expected or 0) - (other.expected or 0)) <= ALIKE_PLACES
    return is_same_place and is_expected and _are_alike(_points(one), _points(other))


def _are_alike(one: Iterable[float], other: Iterable[float]) -> bool:
    return all(abs(mine - theirs) <= ALIKE for mine, theirs in zip(one, other, strict=True))


def _shown(rating: PlayerRating) -> tuple[float, ...]:
    return round(rating.points, 2), round(rating.deviation, 2), rating.games


def _told(seat: RatedSeat) -> tuple[float | None, ...]:
    return seat.place, seat.others, round(seat.expected or 0, 3), *(round(each, 2) for each in _points(seat))
