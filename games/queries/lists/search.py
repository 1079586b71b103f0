"""Narrowing the finished games of one person: what an index finds, and what is looked for among the latest games.

A part of a name is looked for among the people the person has played with, and the beginning of a name among
everybody: their games are few and named by their keys. Bots, and people with many games, are looked for among the games
of the person, a bounded number for each request from where its page begins; the page says so and goes on from there. So
no request costs more the longer the site, or the person, has been playing, and every game is found.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts import names
from accounts.models import User
from games.models import Companion, Player, Reason, SeatResult, Status
from games.queries.lists.finished import FEW_GAMES, finished_seats, shared_seats
from games.queries.lists.seats import Lists, SearchedLists
from games.queries.people.tallies import finished_counts, results_sum

#: How many games are gone through at a time where no index serves a filter, and how many of some days are counted.
SEARCHED, COUNTED_MOST = 2000, 500

#: Instead of one's own games: those between bots that one has opened.
BOTS = "bots"
WON, TIED, LOST = SeatResult.WON, SeatResult.TIED, SeatResult.LOST
#: Ends of a game beside its results: how the person left it, that another one did, that it was played to its end.
RESIGNED, OUT_OF_TIME, OTHERS_LEFT, PLAYED_OUT = "resigned", "out-of-time", "others-left", "played-out"
_LEFT = (Reason.RESIGNED, Reason.OUT_OF_TIME)
_ENDS = {
    RESIGNED: Q(retired=Reason.RESIGNED),
    OUT_OF_TIME: Q(retired=Reason.OUT_OF_TIME),
    OTHERS_LEFT: Q(game__reason__in=_LEFT, retired=""),
    PLAYED_OUT: Q(game__reason__in=(Reason.PLAYED_OUT, Reason.TRAILING)),
}


@dataclass(frozen=True)
class Filters:
    """The filters of a list of finished games; an empty one lets everything through.

    `variant` is one of any size and seed, or a board with any number of players; `opponent` is a part of the name of a
    person or bot; `result` is a value of `SeatResult` or one of the ends above; `who` is `BOTS` for games between bots.
    `place` is the one the person took, "1" to "4"; where bots play, no one's.
    `since` and `until` are the first and the last day on which a game ended, in the reader's time zone. `opening` is
    the key of the named opening that the person has followed, or any of the bots.
    """

    variant: str = ""
    opponent: str = ""
    result: str = ""
    place: str = ""
    who: str = ""
    since: date | None = None
    until: date | None = None
    opening: str = ""

    @property
    def is_counted(self) -> bool:
        """Whether tallies say how many games are let through."""
        days = self.since or self.until
        return not (self.opponent or self.who or self.opening or self.place or days or self.result in _ENDS)

    @property
    def is_looked_for(self) -> bool:
        """Whether no index finds in their order the games that are let through."""
        by_two = self.opening and (self.variant or self.result or self.who or self.place)
        of_bots = self.who == BOTS and self.variant
        return bool(self.opponent or self.result in _ENDS or by_two or of_bots or (self.place and self.result))


@dataclass(frozen=True)
class Found:
    """The games that are let through, and how many there are: if `is_more`, more than that.

    `is_partial` says that only the latest games were counted, and that further ones are found as one pages on.
    """

    lists: Lists
    count: int
    is_more: bool = False
    is_partial: bool = False


def find_finished(user: User, filters: Filters, variants: Collection[str], bots: Collection[str]) -> Found:
    """Return the finished games that the filters let through.

    `variants` are those that `filters.variant` stands for, without size and seed, none for any; `bots` the stored names
    of the bots that have `filters.opponent` in their names.

    One query where tallies know the number; one for each number of players of a board where only days or a place are
    asked for; one for an opening; at most six otherwise, as far as the first SEARCHED games go.
    """
    if filters.is_looked_for:
        return _looked_for(user, filters, variants, bots)
    seats = _dated(user, filters)
    if filters.result:
        seats = seats.filter(result=filters.result) if filters.who != BOTS else seats.none()
    if filters.place:
        seats = seats.filter(place=int(filters.place)) if filters.who != BOTS else seats.none()
    # The games of each variant come from an index in their order.
    parts = [seats.filter(variant=variant) for variant in variants] or [seats]
    lists = Lists(parts, _time(filters))
    if filters.is_counted:
        counts = finished_counts(user.pk, variants=variants)
        return Found(lists, counts[filters.result] if filters.result else results_sum(counts))
    count = sum(part.order_by().values("pk")[: COUNTED_MOST + 1].count() for part in parts)
    return Found(lists, min(count, COUNTED_MOST), is_more=count > COUNTED_MOST)


def _time(filters: Filters) -> str:
    """Return the field that says when a game ended, of which there is an index."""
    return "game__changed_at" if filters.who == BOTS else "ended_at"


def _dated(user: User, filters: Filters) -> QuerySet[Player]:
    """Return the seats of finished games that are searched, of the days that are asked for."""
    if filters.who == BOTS:
        # One seat stands for a game of bots.
        bots = Player.objects.filter(seat=0, game__creator=user, game__is_of_bots=True, game__status=Status.FINISHED)
        return _within(bots.select_related("game"), filters)
    seats = finished_seats(user)
    return _within(seats.filter(opening=filters.opening) if filters.opening else seats, filters)


def _within(seats: QuerySet[Player], filters: Filters) -> QuerySet[Player]:
    field = _time(filters)
    if filters.since:
        seats = seats.filter(**{f"{field}__gte": _midnight(filters.since)})
    if filters.until:
        seats = seats.filter(**{f"{field}__lt": _midnight(filters.until + timedelta(days=1))})
    return seats


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


def _looked_for(user: User, filters: Filters, variants: Collection[str], bots: Collection[str]) -> Found:
    """Return the games that are found by their opponents, their ends, or by two things that no index has together."""
    part = names.key(names.as_stored(filters.opponent)) if filters.opponent.isprintable() else ""
    bots = bots if part else ()
    if filters.opponent and not part:
        return Found(Lists([Player.objects.none()]), 0)
    seats, others, is_partial = _dated(user, filters), Q(), False
    is_of_people = bool(part) and not bots and filters.who != BOTS
    shared = _shared(user, part) if is_of_people else None
    if shared is None:
        latest = list(seats.order_by(f"-{_time(filters)}", "-game_id").values_list("pk", flat=True)[: SEARCHED + 1])
        is_partial, shared = len(latest) > SEARCHED, latest[:SEARCHED]
        others = _beside(user, part, bots) if part else Q()
    kinds = Q(variant__in=variants) if variants else Q()
    condition = _ended(filters) & _placed(filters) & _opened(filters) & kinds & others
    # Named by their keys alone, or SQLite would go through all of the person's seats.
    named = _within(Player.objects.filter(pk__in=shared), filters)
    keys = list(named.filter(condition).order_by().values_list("pk", flat=True))
    if is_partial:
        further = SearchedLists(seats=[seats], time=_time(filters), condition=condition, lot=SEARCHED)
        return Found(further, len(keys), is_more=True, is_partial=True)
    lists = Lists([Player.objects.filter(pk__in=keys).select_related("game")], _time(filters))
    return Found(lists, len(keys))


def _ended(filters: Filters) -> Q:
    """Return the condition on how a game ended; no game between bots was won, lost or left by their host."""
    if not filters.result:
        return Q()
    if filters.who == BOTS and filters.result != PLAYED_OUT:
        return Q(pk=None)
    return _ENDS.get(filters.result, Q(result=filters.result))


def _placed(filters: Filters) -> Q:
    """Return the condition on the person's place; where bots play it is no one's."""
    if not filters.place:
        return Q()
    return Q(pk=None) if filters.who == BOTS else Q(place=int(filters.place))


def _opened(filters: Filters) -> Q:
    """Return the condition that the person, or a bot where bots play, has opened so."""
    if not filters.opening:
        return Q()
    if filters.who != BOTS:
        return Q(opening=filters.opening)
    return Q(Exists(Player.objects.filter(opening=filters.opening, game=OuterRef("game"))))


def _shared(user: User, part: str) -> list[int] | None:
    """Return the person's seats in games with people of that name, None where these have many (two queries)."""
    met = Companion.objects.filter(user=user, other_key__contains=part).order_by()
    people = list(met.values_list("other", flat=True)[: FEW_GAMES + 1])
    if len(people) > FEW_GAMES:
        return None
    return shared_seats(user, Player.objects.filter(user__in=people, ended_at__isnull=False))


def _beside(user: User, part: str, bots: Collection[str]) -> Q:
    """Return the condition that such a bot, or a person of that name, has played in the game too."""
    named = Q(bot__in=bots) | (Q(user__name_key__contains=part) & ~Q(user=user.pk))
    return Q(Exists(Player.objects.filter(named, game=OuterRef("game"))))
