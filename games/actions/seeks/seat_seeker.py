"""Find a person a seat, as they have said once that they always want one."""

from datetime import datetime

from django.db import transaction

from games.base import access, counters
from games.base.positions import load_board
from games.base.setup import GameSetup
from games.errors import GameError, NotFound, NotSeated, TooMany
from games.models import Game, Seek
from games.queries.tables.seeks import is_alone_at, own_waiting_table, tables_for_seek
from games.table import moves, opening, seats, seeking


def seat_seeker(pk: int, *, now: datetime | None = None) -> Game | None:
    """Seat the person of a standing seek at one table of its kind, or open one for it; None if that is not due.

    However often it is asked for, and by however many at one instant, no more games are under way than are wanted. Each
    try is a transaction of its own, for each locks the person and then games from old to new. Where the person waits
    alone at the table that the site has opened for the seek, that one is given up for another in the same transaction.
    """
    seek = Seek.objects.select_related("person").filter(pk=pk).first()
    if seek is None:
        return None
    own = own_waiting_table(seek)
    if not seeking.wants_more(seek, moves.moment(now), own):
        _rest(seek, own, now)
        return None
    for slug in tables_for_seek(seek, own, moves.moment(now)):
        try:
            if game := _sit_down(seek, slug, own, now):
                return game
        except TooMany:
            # Then no other table is for them either.
            break
        except GameError:
            # Somebody was quicker, or it is no table for this person.
            continue
    setup = seeking.setup_of_seek(seek)
    # The tables of a board may have to be built, for which no other write is to wait.
    load_board(setup.variant)
    return _open(seek, setup, now)


@transaction.atomic
def _sit_down(seek: Seek, slug: str, own: Game | None, now: datetime | None) -> Game | None:
    """Seat the person of a seek at this table, and give up their own; None where nothing more is wanted by now.

    Raises:
        GameError: this table is not for them, or not any more; nothing has changed.

    """
    still = _locked(seek)
    if still is None:
        return None
    at = moves.moment(now)
    wanted = {slug} | ({own.slug} if own else set())
    locked = {game.slug: game for game in access.games_to_close(Game.objects.filter(slug__in=wanted))}
    game, given_up = locked.get(slug), locked.get(own.slug) if own else None
    if own and (given_up is None or not is_alone_at(given_up, still)):
        # Somebody has sat down there meanwhile.
        return None
    if game is None or not seeking.wants_more(still, at, own):
        return None
    seats.check_open(game)
    if access.seat_of(game, still.person) is not None:
        return None
    player = seats.seat_for(game, still.person, None, "")
    seats.check_reliable(game, player, still.person)
    seats.check_one_person(game, still.person)
    if own is None:
        seats.check_limit(still.person)
    seeking.check_welcome(game, still.person)
    with counters.together():
        if given_up is not None:
            seeking.give_table_up(still, at, given_up)
        seats.take(game, player, still.person, at)
    seeking.look_again(still, at)
    return game


@transaction.atomic
def _open(seek: Seek, setup: GameSetup, now: datetime | None) -> Game | None:
    """Open a table for a seek, unless one waits already or the person has as many as one may have."""
    still = _locked(seek)
    if still is None:
        return None
    at = moves.moment(now)
    if seeking.is_its_table(still) or not seeking.wants_more(still, at):
        seeking.look_again(still, at + seeking.LOOKS_EACH)
        return None
    try:
        seats.check_limit(still.person)
        seats.check_listed(still.person)
    except TooMany:
        seeking.look_again(still, at + seeking.LOOKS_EACH)
        return None
    game = opening.new_table(still.person, setup, at)
    opening.open_table(game, seeking.seats_of_seek(still), at)
    Seek.objects.filter(pk=still.pk).update(table=game, due_at=at + seeking.LOOKS_EACH)
    return game


@transaction.atomic
def _rest(seek: Seek, own: Game | None, now: datetime | None) -> None:
    """Look at a seek seldom that wants nothing now, and give up the table at which its person waits alone for it."""
    still = _locked(seek, is_to_rest=True)
    if still is None:
        return
    at = moves.moment(now)
    if own is not None:
        with counters.together():
            game = seeking.table_to_give_up(own.pk)
            if game is not None and not seeking.wants_more(still, at, own):
                seeking.give_table_up(still, at, game)
    seeking.look_again(still, at + seeking.LOOKS_SELDOM)


def _locked(seek: Seek, *, is_to_rest: bool = False) -> Seek | None:
    """Return a seek as it is now, its person locked; None where it has ended, or they can do nothing here now.

    The person's row is its lock: who is seated, who changes the seek and who ends it take turns. A seek that
    `is_to_rest` may be that of somebody who could set none now, such as one who lets no one invite them any more.
    """
    try:
        person = seats.lock_person(seek.person)
        if not is_to_rest:
            seeking.check_seeker(person)
        return seeking.own_seek(person, seek.pk)
    except NotFound:
        return None
    except NotSeated:
        Seek.objects.filter(pk=seek.pk).update(due_at=moves.moment(None) + seeking.LOOKS_SELDOM)
        return None
