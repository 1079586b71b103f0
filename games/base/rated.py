"""Which seats of a game are rated, and what its end does to the ratings of its people, in the transaction that ends it.

Families are locked last of all but the lists, in the order of their names; who has locked one may write its ratings.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from operator import itemgetter

from django.conf import settings
from django.db.models import Q, QuerySet

from accounts.database.prepared import PreparedSave
from accounts.models import User
from games.models import AWAY_AFTER, Game, Player, PlayerRating, RatedFamily, RatedSeat
from games.ratings.families import FAMILIES, measured_board, rating_family, seats_kind
from games.ratings.scale import NEWCOMER, Offsets, RatedPlace, RatedTable, Strength, Who
from games.ratings.step import moved_by
from games.roster.measured import measured_bots
from games.rules.variants import VARIANTS

#: The hour of the day, of universal time, from which ratings are fitted anew.
FITTED_AT = 3

_SAVED = PreparedSave(PlayerRating)

#: A place behind those of all tables.
LAST_PLACE = 9


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """What the ratings ask of a seat of a finished game; `place` is from 1. `who` is None where nobody is rated.

    A bot is another one on each board, `sage-6@trigon-2`: it is as strong as it was measured there.
    """

    player: int
    seat: int
    place: int
    who: Who | None

    @classmethod
    def of(cls, player: Player, variant: str, members: Collection[int]) -> "SeatFacts":
        """Return those of a player; `variant` is the whole id, and `members` are the people who are rated."""
        is_usual = player.bot_simulations is None and player.bot_seconds is None
        bot = _rated_bot(player.bot, variant) if is_usual else None
        who = player.user_id if player.user_id in members else bot
        return cls(player.pk, player.seat, place_of(player.place, player.missed), who)


@dataclass(frozen=True, slots=True)
class EndedGame:
    """A finished game that is rated: its key, whose seats its own are like, when it ended, and who is compared."""

    key: int
    variant: str
    ended_at: datetime
    seats: Sequence[SeatFacts]


def place_of(place: int | None, missed: int) -> int:
    """Return the place that counts: who was away at the end is behind all others, wherever a stand-in has come."""
    return LAST_PLACE if missed >= AWAY_AFTER else place or LAST_PLACE


def rated_games(family: str) -> Iterator[EndedGame]:
    """Yield all rated games of a family by their keys. One query, read as it comes."""
    variants = [variant for variant in VARIANTS if rating_family(variant) == family]
    kinds = sorted({variant.partition(":")[0] for variant in variants})
    return ended_games(Player.objects.filter(game__is_rated=True, variant__in=kinds))


def ended_games(players: QuerySet[Player]) -> Iterator[EndedGame]:
    """Yield the finished games of these players in which people are compared, by their keys. One query."""
    columns = ("game", "ended_at", "pk", "seat", "place", "missed", "user", "user__is_guest", "bot")
    further = ("game__variant", "is_usual")
    usual = Q(bot_simulations=None, bot_seconds=None)
    rows = players.filter(ended_at__isnull=False).annotate(is_usual=Q(usual)).order_by("game", "seat")
    for _key, group in groupby(rows.values_list(*columns, *further).iterator(chunk_size=5000), key=itemgetter(0)):
        rows_of_game, seats = list(group), []
        key, ended_at, *_seat, whole, _usual = rows_of_game[0]
        for _key, _at, player, seat, place, missed, user, is_guest, bot, _whole, is_usual in rows_of_game:
            who = user if user is not None and not is_guest else _rated_bot(bot, whole) if is_usual else None
            seats.append(SeatFacts(player, seat, place_of(place, missed), who))
        if found := compared(seats):
            yield EndedGame(key, seats_kind(whole), ended_at, found)


def _rated_bot(bot: str, variant: str) -> str | None:
    """Return a bot as it is compared on a board, None where it was not measured there."""
    board = measured_board(variant)
    return _bot_on(bot, board) if bot and bot in measured_bots().get(board, {}) else None


def _bot_on(bot: str, board: str) -> str:
    return f"{bot}@{board}"


def pinned_bots(family: str) -> dict[Who, float]:
    """Return the measured strength of each bot on each board of a family."""
    return {
        _bot_on(bot, board): float(measured["rating"])
        for board in VARIANTS
        if rating_family(board) == family
        for bot, measured in measured_bots().get(board, {}).items()
    }


def compared(seats: Iterable[SeatFacts]) -> list[SeatFacts]:
    """Return the seats of a game that are compared: none without two people, whatever bots sit there."""
    found = [seat for seat in seats if seat.who is not None]
    people = {seat.who for seat in found if isinstance(seat.who, int)}
    return found if len(people) > 1 else []


def members_among(people: Collection[int]) -> frozenset[int]:
    """Return those of these people who are compared: guests are once they have claimed their account. One query."""
    return frozenset(User.objects.filter(pk__in=people, is_guest=False).values_list("pk", flat=True))


def as_tables(games: Iterable[EndedGame], month: int) -> list[RatedTable]:
    """Return the games as the fit takes them, as old as they are in a month."""
    return [
        RatedTable(
            game.variant,
            max(0, month - month_of(game.ended_at)),
            tuple(RatedPlace(seat.who, seat.seat, seat.place) for seat in game.seats if seat.who is not None),
        )
        for game in games
    ]


def month_of(moment: datetime) -> int:
    """Return the number of the month of a moment."""
    return moment.year * 12 + moment.month


def open_accounts(people: Iterable[int]) -> frozenset[int]:
    """Return those of these people whose account is not closed. One query."""
    closed = User.objects.filter(erased_at__isnull=False).values_list("pk", flat=True)
    return frozenset(people).difference(closed)


def locked_families(families: Iterable[str]) -> dict[str, RatedFamily]:
    """Return the rows of these families, locked; they are made where they are missing. One query, or three."""
    wanted = sorted(set(families))
    rows = RatedFamily.objects.select_for_update(no_key=True).filter(pk__in=wanted).order_by("pk")
    found = {row.pk: row for row in rows}
    if len(found) < len(wanted):
        RatedFamily.objects.bulk_create([RatedFamily(family=each) for each in wanted], ignore_conflicts=True)
        found = {row.pk: row for row in rows.all()}
    return found


def offsets_of(family: RatedFamily) -> Offsets:
    """Return what seats are worth by the last fit."""
    parts = ((key.rpartition("/"), points) for key, points in family.seats.items())
    return {(variant, int(seat)): float(points) for (variant, _slash, seat), points in parts}


def ratings_due(now: datetime) -> list[str]:
    """Return the families to be fitted anew: once a night, where a game has ended since or a month has begun.

    One query, and one more at night.
    """
    night = now.replace(hour=FITTED_AT, minute=0, second=0, microsecond=0)
    night -= timedelta(days=1) if now < night else timedelta()
    if not settings.RATINGS:
        return []
    waiting = RatedFamily.objects.filter(Q(fitted_at=None) | Q(fitted_at__lt=night)).values_list("pk", "month")
    months = dict(waiting)
    ended = RatedSeat.objects.filter(is_new=True, family__in=months).values_list("family", flat=True).distinct()
    moved = set(ended) if months else set()
    return [family for family in FAMILIES if family in moved or months.get(family, month_of(now)) != month_of(now)]


def count_rated(games: Iterable[Game], leaving: Collection[int] = ()) -> None:
    """Move the people of these saved, finished games by what the games did, and forget the ratings of who is leaving.

    No query where none is rated, else eight; three more where someone leaves.
    """
    rated = [game for game in games if game.is_rated and settings.RATINGS]
    people = _people_at(rated)
    ended = _ended(rated, people)
    names = {rating_family(variant) for variant, _seats in ended}
    if leaving:
        names.update(PlayerRating.objects.filter(user__in=leaving).values_list("family", flat=True))
    if not names:
        return
    families = locked_families(names)
    known = _known(families, {seat.who for _variant, seats in ended for seat in seats if isinstance(seat.who, int)})
    rows = [row for variant, seats in ended for row in move_people(variant, seats, families, known)]
    RatedSeat.objects.bulk_create(rows)
    write_ratings(known.values())
    # Who has gone is compared with the others, and keeps nothing.
    gone = {*leaving, *User.objects.filter(pk__in=people, erased_at__isnull=False).values_list("pk", flat=True)}
    if gone:
        RatedSeat.objects.filter(player__user__in=gone).delete()
        PlayerRating.objects.filter(user__in=gone).delete()


def _people_at(games: Iterable[Game]) -> set[int]:
    return {player.user_id for game in games for player in game.players.all() if player.user_id is not None}


def _ended(rated: Iterable[Game], people: Collection[int]) -> list[tuple[str, list[SeatFacts]]]:
    """Return what is compared of each of these games, the oldest first, with the kind of its variant."""
    members = members_among(people) if people else frozenset()
    found = []
    for game in sorted(rated, key=lambda game: game.pk):
        seats = compared(SeatFacts.of(player, game.variant, members) for player in game.players.all())
        if seats:
            found.append((seats_kind(game.variant), seats))
    return found


def _known(families: Collection[str], people: Collection[int]) -> dict[tuple[str, int], PlayerRating]:
    rows = PlayerRating.objects.filter(user__in=people, family__in=families)
    return {(row.family, row.user_id): row for row in rows}


def write_ratings(ratings: Iterable[PlayerRating]) -> None:
    """Save ratings, of which some may be new. A query for the new, one for each of the others."""
    every = sorted(ratings, key=lambda row: (row.family, row.user_id))
    for row in every:
        if row.pk is not None:
            _SAVED.save(row)
    PlayerRating.objects.bulk_create([row for row in every if row.pk is None])


def replace_ratings(ratings: Iterable[PlayerRating]) -> None:
    """Store ratings in place of those that the same people have. One query for each thousand, on SQLite for fewer."""
    PlayerRating.objects.bulk_create(
        ratings,
        batch_size=1000,
        update_conflicts=True,
        unique_fields=["user", "family"],
        update_fields=["points", "deviation", "games", "is_listed"],
    )


def move_people(
    variant: str,
    seats: Sequence[SeatFacts],
    families: Mapping[str, RatedFamily],
    known: dict[tuple[str, int], PlayerRating],
) -> list[RatedSeat]:
    """Move the ratings in `known` by one game, those of newcomers too; return what it did to each, not saved."""
    family = families[rating_family(variant)]
    pins, before = pinned_bots(family.pk), []
    for seat in seats:
        rating = known.get((family.pk, seat.who)) if isinstance(seat.who, int) else None
        pinned = Strength(pins[seat.who], 0) if isinstance(seat.who, str) else NEWCOMER
        before.append(rating.strength if rating else pinned)
    places = [RatedPlace(seat.who, seat.seat, seat.place) for seat in seats if seat.who is not None]
    rows = []
    for seat, moved in zip(seats, moved_by(variant, places, before, offsets_of(family), family.people), strict=True):
        if not isinstance(seat.who, int):
            continue
        rating = known.setdefault((family.pk, seat.who), PlayerRating(user_id=seat.who, family=family.pk))
        rating.strength = moved.after
        rating.games += 1
        rows.append(
            RatedSeat(
                player_id=seat.player,
                family=family.pk,
                place=1 + sum(other.place < seat.place for other in places),
                others=len(places) - 1,
                expected=moved.expected,
                points_before=moved.before.points,
                deviation_before=moved.before.deviation,
                points_after=moved.after.points,
                deviation_after=moved.after.deviation,
            )
        )
    return rows
