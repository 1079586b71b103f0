"""Checks that what is stored of a game follows from its moves (A10 in docs/reliability.md)."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Max, Min, Q, QuerySet, prefetch_related_objects

from games.base import positions
from games.base.positions import Recorded
from games.models import Game, Kind, Move, Player, Status, Tally
from games.queries.people.tallies import tallies_amiss
from games.queries.play.takebacks import ALONE_FOR, TakenBack, takebacks_told
from games.rules import record
from games.rules.errors import RulesError
from games.table import lifecycle
from games.table.cached import GAME_CACHE, cached_of_seat

#: How many games are read at a time. Of n processes that share the work, each takes every n-th lot.
AUDITED_AT_ONCE = 200


@dataclass(frozen=True)
class Fault:
    """One thing that is stored otherwise than the moves say."""

    slug: str
    what: str
    stored: object
    rebuilt: object


@dataclass(frozen=True)
class Audited:
    """What one lot of games came to: how many games and moves were replayed, and what is wrong with which games.

    `last` is a key of a game: all games of the lot have keys up to it.
    """

    games: int
    moves: int
    last: int
    faults: tuple[tuple[Fault, ...], ...]


def started_games(
    *, after: int = 0, since: datetime | None = None, sample: int = 0, share: tuple[int, int] = (0, 1)
) -> Iterator[tuple[int, QuerySet[Game]]]:
    """Yield the started games in lots, each with the key that none of its games exceeds, in the order of the keys.

    Only those with a key past `after`, and changed `since` then; with a `sample`, that many drawn at random. A share is
    the number of a process and how many processes there are.
    """
    started = Game.objects.filter(started_at__isnull=False, pk__gt=after)
    if since is not None:
        started = started.filter(changed_at__gte=since)
    lots = _drawn(started, sample) if sample else _all(started)
    number, of = share
    for at, lot in enumerate(lots):
        if at % of == number:
            yield lot


def _all(games: QuerySet[Game]) -> Iterator[tuple[int, QuerySet[Game]]]:
    """Yield games in lots of neighbouring keys. Every process makes the same lots, while games begin too."""
    ends = games.aggregate(first=Min("pk"), last=Max("pk"))
    if ends["first"] is not None:
        for begin in range(ends["first"] - ends["first"] % AUDITED_AT_ONCE, ends["last"] + 1, AUDITED_AT_ONCE):
            yield begin + AUDITED_AT_ONCE - 1, games.filter(pk__gte=begin, pk__lt=begin + AUDITED_AT_ONCE)


def _drawn(games: QuerySet[Game], number: int) -> Iterator[tuple[int, QuerySet[Game]]]:
    keys = list(games.values_list("pk", flat=True))
    chosen = sorted(random.sample(keys, min(number, len(keys))))
    for at in range(0, len(chosen), AUDITED_AT_ONCE):
        lot = chosen[at : at + AUDITED_AT_ONCE]
        yield lot[-1], games.filter(pk__in=lot)


def audit_lot(last: int, games: QuerySet[Game], *, repairs: bool = False) -> Audited:
    """Replay a lot of games and compare, in five queries; `repairs` stores what the moves say where they differ.

    Moves may be made meanwhile: a game that differs is looked at again, with its row locked.
    """
    found = list(games.prefetch_related("players__returns", "moves", "takebacks"))
    moves = sum(len(game.moves.all()) for game in found)
    suspects = [game.pk for game in found if next(faults(game), None)]
    confirmed = (_audit_locked(pk, repairs) for pk in suspects)
    return Audited(len(found), moves, last, tuple(wrong for wrong in confirmed if wrong))


@transaction.atomic
def _audit_locked(pk: int, repairs: bool) -> tuple[Fault, ...]:
    locked = Game.objects.select_for_update(no_key=True).filter(pk=pk)
    wrong = tuple(faults(locked.get()))
    if repairs and wrong:
        lifecycle.rebuild(locked.get())
    return wrong


def faults(game: Game) -> Iterator[Fault]:
    """Yield what is wrong with one started game: its moves, then what was derived from them.

    Four queries, none where players, their returns, moves and what was taken back are fetched. In memory, the game
    becomes what the moves say.
    """
    prefetch_related_objects([game], "players__returns", "moves", "takebacks")
    moves, players = list(game.moves.all()), list(game.players.all())
    yield from _numbering(game, moves)
    stored = [(name, getattr(game, name)) for name in GAME_CACHE]
    seats = [(player, cached_of_seat(player)) for player in players]
    try:
        lifecycle.recompute(game, moves)
    except RulesError as error:
        yield Fault(game.slug, "moves", "played", f"refused: {error}")
        return
    yield from _taken_back(game, moves)
    for name, value in stored:
        if value != getattr(game, name):
            yield Fault(game.slug, name, value, getattr(game, name))
    for player, values in seats:
        if values != cached_of_seat(player):
            yield Fault(game.slug, f"seat {player.seat}", values, cached_of_seat(player))


def _taken_back(game: Game, moves: Sequence[Recorded]) -> Iterator[Fault]:
    """Yield the times at which moves were taken back that were not lawful then, or were not the last of the game."""
    stood: Sequence[Recorded] = moves
    for time in reversed(takebacks_told(game.takebacks.all())):
        # What stood just before: the moves up to there are the same, as only later ones have gone since.
        if time.back_to > len(stood) + 1:
            yield Fault(game.slug, "taken back", time.back_to, f"at most {len(stood) + 1}")
            return
        stood = [*stood[: time.back_to - 1], *time.moves]
        if time.is_alone and not _may_go_alone(game, time, stood):
            yield Fault(game.slug, "taken back", "alone", "by consent")
        try:
            record.replay(game.variant, map(positions.text_of, stood), positions.colours_of(game), game.scoring)
        except RulesError as error:
            yield Fault(game.slug, "taken back", "played", f"refused: {error}")


def _may_go_alone(game: Game, time: TakenBack, stood: Sequence[Recorded]) -> bool:
    """Return whether nobody had to be asked: only bots played too, or ten seconds had not passed and only bots moved.

    `stood` are the moves just before.
    """
    gone = {move.seat for move in stood if move.kind == Kind.RETIRE}
    seats = {player.seat for player in game.players.all() if player.user_id is not None}
    if game.is_on_one_device or not seats - gone - {time.seat}:
        return True
    first, *later = time.moves
    is_quick = first.played_at is not None and time.taken_at - first.played_at <= ALONE_FOR
    return is_quick and all(move.bot or move.is_automatic for move in later)


def faults_beside(*, repairs: bool) -> Iterator[Fault]:
    """Yield what is wrong where no moves are: seats at tables that have not started, and tallies; repair it if asked.

    Two queries, and one more for each fault that is repaired. Tallies follow from seats, so seats are repaired first.
    """
    is_open = Q(game__status=Status.OPEN)
    waiting = Player.objects.filter(game__started_at=None).filter(Q(is_going=True) ^ is_open).select_related("game")
    for player in waiting:
        yield Fault(player.game.slug, f"seat {player.seat}", player.is_going, not player.is_going)
        if repairs:
            Player.objects.filter(pk=player.pk).update(is_going=not player.is_going)
    for key, stored, there in list(tallies_amiss()):
        kind = " ".join(filter(None, (key.variant, key.result, "public" if key.is_public else "private")))
        yield Fault(f"person {key.user_id}", f"tally {kind}", stored, there)
        if repairs:
            Tally.objects.add({key: there - stored})


def _numbering(game: Game, moves: Sequence[Move]) -> Iterator[Fault]:
    """Yield gaps in the numbers of the moves, and versions that fall or are ahead of the game's."""
    numbers = [move.number for move in moves]
    if numbers != list(range(1, len(moves) + 1)):
        yield Fault(game.slug, "numbers", numbers, list(range(1, len(moves) + 1)))
    versions = [move.version for move in moves]
    if versions != sorted(versions) or (versions and versions[-1] > game.version):
        yield Fault(game.slug, "versions", versions, sorted(versions))
