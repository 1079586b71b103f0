"""Fitting the ratings again from the games that the last fit has read, and what each game since has done to them."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from django.db import transaction

from games.audit.checks import Fault
from games.base.rated import EndedGame, as_tables, compared, locked_families, open_accounts, pinned_bots, rated_games
from games.models import PlayerRating, RatedFamily, RatedSeat
from games.ratings.families import FAMILIES
from games.ratings.fit import fit_ratings
from games.ratings.scale import NEWCOMER, Strength

#: Points by which sums on another processor may differ.
ALIKE = 0.02


@dataclass(frozen=True)
class _Stored:
    """All that is stored of a family, at one moment."""

    row: RatedFamily
    ratings: Sequence[PlayerRating]
    new: Sequence[RatedSeat]
    games: Sequence[EndedGame]
    counted: Counter[int]


def faults_of_ratings() -> Iterator[tuple[str, Fault]]:
    """Yield each family with a rating that is not what its games say. A family is read at once, and then fitted."""
    for family in FAMILIES:
        if RatedFamily.objects.filter(pk=family).exists():
            yield from ((family, fault) for fault in _faults(_read(family)))


@transaction.atomic
def _read(family: str) -> _Stored:
    row = locked_families([family])[family]
    new = RatedSeat.objects.filter(family=family, is_new=True).select_related("player").order_by("pk")
    old = frozenset(RatedSeat.objects.filter(family=family, is_new=False).values_list("player", flat=True))
    games, counted = _read_by_fit(row, list(rated_games(family)), old, frozenset(seat.player_id for seat in new))
    return _Stored(row, list(PlayerRating.objects.filter(family=family)), list(new), games, counted)


def _read_by_fit(
    row: RatedFamily, games: Sequence[EndedGame], old: frozenset[int], new: frozenset[int]
) -> tuple[list[EndedGame], Counter[int]]:
    """Return the games that the last fit has read, with the seats that counted then, and how many were whose."""
    people = {seat.who for game in games for seat in game.seats if isinstance(seat.who, int)}
    is_open = open_accounts(people)
    found, counted = [], Counter[int]()
    for game in games:
        kept = {seat.player for seat in game.seats if seat.who in is_open}
        is_read = bool(kept & old) if kept else _ended_before(game, row)
        # Who has claimed an account since counts from the next fit.
        seats = compared(replace(seat, who=None) if seat.player in kept - old else seat for seat in game.seats)
        if is_read and seats and not kept & new:
            found.append(replace(game, seats=seats))
            counted.update(seat.who for seat in seats if isinstance(seat.who, int))
    return found, counted


def _ended_before(game: EndedGame, row: RatedFamily) -> bool:
    return row.fitted_at is not None and game.ended_at <= row.fitted_at


def _faults(stored: _Stored) -> Iterator[Fault]:
    family = stored.row.pk
    fitted = fit_ratings(as_tables(stored.games, stored.row.month), pinned=pinned_bots(family)).ratings
    steps: defaultdict[int, list[RatedSeat]] = defaultdict(list)
    for seat in stored.new:
        if seat.player.user_id is not None:
            steps[seat.player.user_id].append(seat)
    there = {rating.user_id: rating for rating in stored.ratings}
    expected = {who for who in {*fitted, *steps} if isinstance(who, int)}
    for who in sorted(open_accounts(expected | there.keys())):
        base, own = fitted.get(who, NEWCOMER), steps[who]
        yield from _faults_before(f"person {who}", family, base, own)
        said = (_after(own, base), stored.counted[who] + len(own)) if who in expected else None
        rating = there.get(who)
        kept = (rating.strength, rating.games) if rating else None
        if not _say_the_same(kept, said):
            yield Fault(f"person {who}", f"rating {family}", kept and _shown(*kept), said and _shown(*said))


def _faults_before(person: str, family: str, base: Strength, own: Sequence[RatedSeat]) -> Iterator[Fault]:
    """Yield a fault where the first game since the last fit began with something else than what that one said."""
    if own:
        begins = Strength(own[0].points_before or 0, own[0].deviation_before or 0)
        if not _are_alike(begins, base):
            yield Fault(person, f"rating {family} before the last games", _shown(begins), _shown(base))


def _after(own: Sequence[RatedSeat], base: Strength) -> Strength:
    return Strength(own[-1].points_after or 0, own[-1].deviation_after or 0) if own else base


def _say_the_same(one: tuple[Strength, int] | None, other: tuple[Strength, int] | None) -> bool:
    if one is None or other is None:
        return one is other
    return _are_alike(one[0], other[0]) and one[1] == other[1]


def _are_alike(one: Strength, other: Strength) -> bool:
    return all(abs(mine - theirs) <= ALIKE for mine, theirs in zip(one, other, strict=True))


def _shown(strength: Strength, *games: int) -> tuple[float, ...]:
    return round(strength.points, 2), round(strength.deviation, 2), *games
