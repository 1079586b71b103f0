"""Standing seeks: how far what people always want is so, at which tables they can sit, and which are looked at next."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import astuple, dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.db.models import Exists, F, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.models import User, Welcome
from games.base.apart import apart_from, games_without
from games.base.quiet import quiet_until
from games.base.terms import TIME_COLUMNS
from games.base.welcome import seated_with
from games.clock import PACES, TimeControl
from games.models import AWAY_AFTER, Game, Holiday, Kind, Move, Player, PlayerRating, Reason, Seek, Status
from games.queries.tables.pairing import TABLES_LOOKED_AT, alike, asked_for, free_seats, gaps_to, of_kinds
from games.ratings.families import rating_family
from games.ratings.scale import START
from games.rules.variants import SIZED, VARIANTS, get_variant

#: The boards that can be sought: all. Where a size is chosen it is the usual one, and pieces are drawn for each game.
SOUGHT = tuple(VARIANTS)
#: The times that can be sought, by the name of a pace.
NO_LIMIT = "unlimited"
SOUGHT_TIMES: Mapping[str, TimeControl] = {**PACES, NO_LIMIT: TimeControl()}
#: How many games a seek keeps under way at most.
MOST_SOUGHT = 5
#: How many seeks are asked to look at a table that has just opened, of so many of its kind.
CALLED, LOOKED_THROUGH = 12, 100
#: Of so many of the latest games of a person that have ended it is asked whether their time ran out.
ENDED_LOOKED_AT = 100
#: How many seeks the sweep asks for at once.
SWEPT = 200

#: For how long after it was set a seek finds games that are played at one go; tables older than that are none for it.
EVENING_LASTS = timedelta(hours=3)
#: For so long the others may wait for a move of the person in games without a time limit.
MOVES_WITHIN = timedelta(days=7)

#: Why a seek rests: the person has left a table, is on holiday, lets no one invite them, ran out of time; nobody has
#: come to their table in all the time that one waits; the evening is over; it is in their quiet hours; or the others
#: wait for their move in a game without a time limit.
LEFT, HOLIDAY, NO_ONE, LATE = "left", "holiday", "no-one", "late"
IDLE, EVENING, QUIET, OWES = "idle", "evening", "quiet", "owes"

_LATE_REASONS = (Reason.OUT_OF_TIME, Reason.VOID)


@dataclass(frozen=True)
class SeekState:
    """A seek as its person reads it: how many of its games run, at how many tables they wait, and why it rests if so.

    Where it rests because the person has left a table, or in their quiet hours, it does so `until` then.
    """

    seek: Seek
    running: int
    waiting: int
    rest: str = ""
    until: datetime | None = None


class _Going(NamedTuple):
    """A game that goes on, as far as it is known by it whether it is of a kind.

    `is_left_to_bots` says that it is public, and that bots have taken the seats that were left, all but one: so it is
    not rated, whatever was sought.
    """

    variant: str
    is_rated: bool
    status: str
    is_left_to_bots: bool
    times: tuple[int | bool | None, ...]

    def is_of(self, variant: str, times: tuple[int | bool | None, ...], *, is_rated: bool) -> bool:
        """Return whether a seek for such games has led to this one, or might have."""
        has_terms = self.is_rated == is_rated or self.is_left_to_bots
        return has_terms and sought_kind(self.variant) == variant and self.times == times


def is_sought_rated(seek: Seek) -> bool:
    """Return whether the games of a seek are rated: not where the site has no ratings."""
    return bool(seek.is_rated and settings.RATINGS)


def is_at_one_go(pace: str) -> bool:
    """Return whether games at this pace are played at one go, so that their players have to be there."""
    time = SOUGHT_TIMES[pace]
    return not (time.allows_rests or time.is_unlimited)


def _times(pace: str) -> tuple[int | bool | None, ...]:
    return astuple(SOUGHT_TIMES[pace])


def sought_kind(variant: str) -> str:
    """Return the board that is sought of which a game is; empty for one of another size than the usual one."""
    found = get_variant(variant)
    return found.family if found.family not in SIZED or found.width == get_variant(found.family).width else ""


def seeks_of(user: User, now: datetime) -> list[SeekState]:
    """Return the seeks of a person in the order of boards. One query, and four more where there are any."""
    seeks = list(Seek.objects.filter(person=user))
    if not seeks:
        return []
    order = {variant: number for number, variant in enumerate(SOUGHT)}
    seeks.sort(key=lambda seek: (order.get(seek.variant, len(order)), seek.pk))
    games, rests = _going(user.pk), rests_of(user, seeks, now)
    return [
        SeekState(
            seek,
            *_counted(seek, games),
            rests.get(seek.pk, ""),
            _until(seek, rests.get(seek.pk, ""), user, now),
        )
        for seek in seeks
    ]


def _until(seek: Seek, rest: str, user: User, now: datetime) -> datetime | None:
    return {LEFT: seek.rests_until, QUIET: quiet_until(user, now)}.get(rest)


def count_games(seek: Seek) -> tuple[int, int]:
    """Return how many games of a seek run, and at how many tables of its kind the person waits. One query."""
    return _counted(seek, _going(seek.person_id))


def _going(person: int) -> list[_Going]:
    others = Player.objects.filter(game=OuterRef("game"), bot="").exclude(user=person)
    # Bots with which a table was opened have been there from the first.
    taken = Player.objects.filter(game=OuterRef("game"), joined_at__gt=F("game__created_at")).exclude(bot="")
    is_left_to_bots = Q(~Exists(others), Exists(taken), game__is_public=True)
    rows = Player.objects.filter(user=person, is_going=True, retired="", game__group=None)
    times = (f"game__{name}" for name in TIME_COLUMNS)
    columns = ("game__variant", "game__is_rated", "game__status", "is_left_to_bots", *times)
    found = rows.annotate(is_left_to_bots=is_left_to_bots).values_list(*columns)
    return [
        _Going(variant, is_rated, status, is_left, tuple(spans)) for variant, is_rated, status, is_left, *spans in found
    ]


def _counted(seek: Seek, games: Sequence[_Going]) -> tuple[int, int]:
    times, is_rated = _times(seek.pace), is_sought_rated(seek)
    same = [game.status for game in games if game.is_of(seek.variant, times, is_rated=is_rated)]
    return same.count(Status.RUNNING), same.count(Status.OPEN)


def rests_of(user: User, seeks: Collection[Seek], now: datetime) -> dict[int, str]:
    """Return why those of a person's seeks rest that do. Three queries at most, four with one without a time limit."""
    everywhere = _rest_of_person(user, now)
    found = {seek.pk: rest for seek in seeks if (rest := _rest_of(seek, user, everywhere, now))}
    unlimited = [seek.pk for seek in seeks if seek.pk not in found and seek.pace == NO_LIMIT]
    if unlimited and _owes_move(user, now):
        found |= dict.fromkeys(unlimited, OWES)
    others = [seek for seek in seeks if seek.pk not in found]
    return found | _late_ones(user, others) if others else found


def _rest_of_person(user: User, now: datetime) -> str:
    """Return why all seeks of a person rest, empty if they do not. One query at most."""
    if user.invited_by == Welcome.NO_ONE:
        return NO_ONE
    is_away = Holiday.objects.filter(user=user, begins_at__lte=now, ends_at__gt=now).exists()
    return HOLIDAY if is_away else ""


def _rest_of(seek: Seek, user: User, everywhere: str, now: datetime) -> str:
    """Return why one seek rests as far as no game of its person has to be looked at. No query."""
    if seek.rests_until is not None and seek.rests_until > now:
        return LEFT
    return everywhere or _own_rest(seek, user, now)


def _late_ones(user: User, seeks: Collection[Seek]) -> dict[int, str]:
    """Return those of some seeks that rest because their person ran out of time since. Two queries."""
    last = _last_late(user, min(seek.set_at for seek in seeks))
    return {seek.pk: LATE for seek in seeks if last is not None and last >= seek.set_at}


def _own_rest(seek: Seek, user: User, now: datetime) -> str:
    """Return why a seek rests as far as it says so itself, with its person's quiet hours. No query."""
    if seek.is_idle:
        return IDLE
    if not is_at_one_go(seek.pace):
        # Clocks stand still in quiet hours, and what begins then is told after them.
        return ""
    if now >= seek.set_at + EVENING_LASTS:
        return EVENING
    return QUIET if quiet_until(user, now) else ""


def _owes_move(user: User, now: datetime) -> bool:
    """Return whether others have waited long for a person's move in a public game without a time limit. One query."""
    due = Game.objects.filter(turn_user=user, turn_since__lt=now - MOVES_WITHIN, is_paused=False)
    others = Player.objects.filter(game=OuterRef("pk"), user__isnull=False).exclude(user=user)
    return due.filter(Exists(others), is_public=True, time_initial=None).exists()


def _last_late(user: User, since: datetime) -> datetime | None:
    """Return when a person last ran out of time in a game, or a bot last played for them who was away. Two queries.

    It counts when the last move was made in their place: the game may have gone on without them. Games that were over
    before `since` are not looked at, nor those before the latest hundred.
    """
    is_late = Q(retired__in=_LATE_REASONS) | Q(missed__gte=AWAY_AFTER, retired="")
    moves = Move.objects.filter(Q(kind=Kind.RETIRE) | ~Q(bot=""), game=OuterRef("game"), seat=OuterRef("seat"))
    last_of_seat = Subquery(moves.order_by("-number").values("played_at")[:1])
    late = Player.objects.filter(is_late).annotate(last=Coalesce(last_of_seat, "ended_at"))
    moments = late.order_by(F("last").desc(nulls_last=True)).values_list("last", flat=True)
    ended = Player.objects.filter(user=user, ended_at__gte=since).order_by("-ended_at", "-game_id")
    # Two queries, so that each finds its games by an index. None says in which of them somebody was late: those that
    # have ended are named by their keys alone, or SQLite would go through all of the person's seats.
    among = moments.filter(pk__in=ended.values("pk")[:ENDED_LOOKED_AT])
    found = (among.first(), moments.filter(user=user, is_going=True).first())
    return max((each for each in found if each is not None), default=None)


def tables_for_seek(seek: Seek, own: Game | None, now: datetime) -> tuple[str, ...]:
    """Return the slugs of public tables at which the person of a seek can sit now, the best first.

    They are of its kind, as those are that the site opens, and nobody there is out of reach in rating or reliability
    yet, nor anyone whom the site may not seat with this person. Where the person waits alone at `own` table, those
    alone for which it would be given up: whoever else opened them, or older ones that the site has. Five queries, and
    those of `apart_from` and `seated_with`.
    """
    person = seek.person
    tables = games_without(apart_from(person), _tables_of_kind(seek, own, now))
    tables = tables.exclude(creator=person).exclude(players__user=person)
    seats = Prefetch("players", Player.objects.select_related("user"))
    found = asked_for(person, list(tables.order_by("created_at", "pk").prefetch_related(seats)[:TABLES_LOOKED_AT]))
    found = _with_people_fit(seek, found, now)
    gaps = gaps_to(person, found)
    near = [game for game in found if not gaps[game.pk].is_wide(now - game.created_at)]
    near.sort(key=lambda game: (free_seats(game), gaps[game.pk].points))
    return tuple(game.slug for game in near)


def _tables_of_kind(seek: Seek, own: Game | None, now: datetime) -> QuerySet[Game]:
    """Return the public tables of the kind of a seek, whoever sits there; see `tables_for_seek` for `own`."""
    fitting = Game.objects.filter(
        of_kinds(alike(seek.variant)),
        is_listed=True,
        is_rated=is_sought_rated(seek),
        scoring=get_variant(seek.variant).scorings[0],
        declares_passes=False,
        **dict(zip(TIME_COLUMNS, _times(seek.pace), strict=True)),
    )
    if is_at_one_go(seek.pace):
        fitting = fitting.filter(created_at__gte=now - EVENING_LASTS)
    wait = timedelta(minutes=seek.wait)
    with_bots = Player.objects.filter(game=OuterRef("pk")).exclude(bot="")
    fitting = fitting.filter(fill_at__lte=now + wait) if wait else fitting.filter(~Exists(with_bots), fill_at=None)
    return fitting if own is None else fitting.filter(Q(seek=None) | Q(pk__lt=own.pk))


def _with_people_fit(seek: Seek, games: Sequence[Game], now: datetime) -> list[Game]:
    """Return those of some games at which the site may seat the person of a seek with everyone, all of them awake."""
    people = {player.user_id: player.user for game in games for player in game.players.all() if player.user}
    is_at_once = is_at_one_go(seek.pace)
    awake = [each for each in people.values() if not (is_at_once and quiet_until(each, now))]
    fine: set[int | None] = {None, *seated_with(seek.person, awake)}
    return [game for game in games if all(player.user_id in fine for player in game.players.all())]


def own_waiting_table(seek: Seek) -> Game | None:
    """Return the table that the site has opened for a seek, while its person waits there alone. Two queries at most."""
    if seek.table_id is None:
        return None
    game = Game.objects.filter(pk=seek.table_id, status=Status.OPEN).prefetch_related("players").first()
    return game if game is not None and is_alone_at(game, seek) else None


def is_alone_at(game: Game, seek: Seek) -> bool:
    """Return whether the person of a seek waits at an open table with nobody else, and nobody is invited there.

    A table that they have made private, given a name or other times is one of theirs, as any other. No query where the
    players are fetched.
    """
    if not game.is_listed or game.name or game.time_control != SOUGHT_TIMES[seek.pace]:
        return False
    players = list(game.players.all())
    others = [each for each in players if each.bot or each.invitee_id is not None or each.user_id is not None]
    return game.status == Status.OPEN and [each.user_id for each in others] == [seek.person_id]


def seeks_due(before: datetime) -> set[tuple[int, int]]:
    """Return the seeks that should have been looked at before then, as jobs name them. One query."""
    rows = Seek.objects.filter(due_at__lte=before).order_by("due_at").values_list("pk", flat=True)
    return {(pk, 0) for pk in rows[:SWEPT]}


def seeks_of_people(people: Collection[int], now: datetime) -> list[int]:
    """Return the seeks of these people that do not rest, by their keys. One query, none for no one."""
    if not people:
        return []
    awake = Q(rests_until=None) | Q(rests_until__lte=now)
    return sorted(Seek.objects.filter(awake, person__in=people).values_list("pk", flat=True))


def seeks_for_table(game_id: int, now: datetime) -> list[int]:
    """Return the seeks of others that may find a seat at a table that has just opened, the nearest in rating first.

    Two queries at most, one for a table that the lobby does not list; one more where the site has ratings.
    """
    game = Game.objects.filter(pk=game_id, is_listed=True, declares_passes=False).first()
    times = None if game is None else astuple(game.time_control)
    pace = next((key for key, time in SOUGHT_TIMES.items() if astuple(time) == times), "")
    if game is None or not pace:
        return []
    awake = Q(rests_until=None) | Q(rests_until__lte=now)
    kind = Seek.objects.filter(awake, variant=sought_kind(game.variant), pace=pace)
    if settings.RATINGS:
        kind = kind.filter(is_rated=game.is_rated)
    rows = list(kind.exclude(person=game.creator_id).order_by("due_at").values_list("pk", "person")[:LOOKED_THROUGH])
    if settings.RATINGS and rows:
        people = {person for _pk, person in rows} | {game.creator_id}
        rated = PlayerRating.objects.filter(user__in=people, family=rating_family(game.variant))
        points = dict(rated.values_list("user", "points"))
        host = points.get(game.creator_id, START)
        rows.sort(key=lambda row: abs(points.get(row[1], START) - host))
    return [pk for pk, _person in rows[:CALLED]]
