"""How many finished games a person has, read from tallies: it costs the same for ten games and for thousands."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from itertools import groupby
from operator import itemgetter

from django.db.models import BooleanField, CharField, Count, F, QuerySet, Sum, Value

from games.models import WATCHED, Game, Player, SeatResult, Tally, TallyKey


def finished_counts(user_id: int, *, variants: Collection[str] = (), is_public: bool | None = None) -> Counter[str]:
    """Return how many of a person's games ended with each result, `WATCHED` for games of bots. One query.

    `variants` have no size and no seed; none is any. `is_public` counts only public or only private games.
    """
    tallies = Tally.objects.filter(user=user_id)
    if variants:
        tallies = tallies.filter(variant__in=variants)
    if is_public is not None:
        tallies = tallies.filter(is_public=is_public)
    return Counter(dict(tallies.values_list("result").annotate(Sum("number"))))


def finished_by_kind(user_id: int, *, is_public: bool | None = None) -> Counter[tuple[str, str]]:
    """Return how many of a person's games ended with each result, by variant and result. One query.

    Variants have no size and no seed. Games of bots are left out. `is_public` counts only public or only private games.
    """
    tallies = Tally.objects.filter(user=user_id).exclude(result=WATCHED)
    if is_public is not None:
        tallies = tallies.filter(is_public=is_public)
    rows = tallies.order_by().values_list("variant", "result").annotate(Sum("number"))
    return Counter({(variant, result): number for variant, result, number in rows})


def results_sum(counts: Mapping[str, int]) -> int:
    """Return how many games were won, tied or lost, together, with those that count as none of it."""
    return sum(counts.get(result, 0) for result in ("", *SeatResult))


def tallies_amiss() -> Iterator[tuple[TallyKey, int, int]]:
    """Yield every tally that is not what the seats say: what it counts, what is stored, and what there is.

    One query, so that no game ends between two of its parts.
    """
    stored = Tally.objects.values_list("user_id", "variant", "result", "is_public", "number", _number(0))
    rows = stored.union(_ended(), _watched(), all=True).order_by("user_id", "variant", "result", "is_public")
    for key, parts in groupby(rows.iterator(), key=lambda row: TallyKey(*row[:4])):
        kept, there = map(sum, zip(*map(itemgetter(4, 5), parts), strict=True))
        if kept != there:
            yield key, kept, there


def _ended() -> QuerySet[Player, tuple[object, ...]]:
    seats = Player.objects.filter(user__isnull=False, ended_at__isnull=False).order_by()
    grouped = seats.values("user_id", "variant", "result", "is_public").annotate(kept=_number(0), there=Count("pk"))
    return grouped.values_list("user_id", "variant", "result", "is_public", "kept", "there")


def _watched() -> QuerySet[Game, tuple[object, ...]]:
    """Return the games between bots, in the columns of seats."""
    columns = {
        "host": F("creator_id"),
        "of": Value("", CharField()),
        "outcome": Value(WATCHED, CharField()),
        "shown": Value(False, BooleanField()),
    }
    grouped = Game.objects.filter(is_of_bots=True).order_by().values(**columns)
    counted = grouped.annotate(kept=_number(0), there=Count("pk"))
    return counted.values_list("host", "of", "outcome", "shown", "kept", "there")


def _number(value: int) -> Value:
    return Value(value)
