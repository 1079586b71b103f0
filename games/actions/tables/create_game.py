"""Open a table."""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts import names
from accounts.models import User
from games import moves, opening, seats
from games.errors import BadRequest
from games.models import Access, Game, Player
from games.positions import load_board
from games.setup import GameSetup, SeatSetup, check_setup, folded


def create_game(creator: User, setup: GameSetup, *, now: datetime | None = None) -> Game:
    """Return the new table, started at once when no seat is empty.

    The seats are shuffled unless the setup says not to; chosen colours stay with the numbers of the seats.

    Raises:
        BadRequest: the setup makes no sense; `field` names what.
        TooMany: the creator has as many games, or tables in the lobby, as one person may have.

    """
    check_setup(setup)
    # The tables of a board of a chosen size take 0.1 s to build, for which no other write is to wait.
    load_board(setup.variant)
    return _create(creator, setup, now)


@transaction.atomic
def _create(creator: User, setup: GameSetup, now: datetime | None) -> Game:
    person = seats.lock_person(creator)
    invited = _people(person, setup)
    seats.check_limit(person)
    if setup.is_public and any(seat.kind == "open" for seat in setup.seats):
        seats.check_listed(person)
    at = moves.moment(now)
    game = opening.new_table(person, setup, at)
    opening.open_table(game, [_player(seat, person, invited) for seat in setup.seats], at)
    return game


def _people(creator: User, setup: GameSetup) -> Mapping[str, User]:
    """Return the people named in the setup by their names, folded. One query."""
    # No name holds unprintable characters, and some of them cannot be stored in a database.
    keys = {names.key(seat.username) for seat in setup.seats if seat.kind == "named" and seat.username.isprintable()}
    people = User.objects.filter(name_key__in=keys, is_active=True, is_guest=False) if keys else ()
    found = {folded(user.username): user for user in people}
    for number, seat in enumerate(setup.seats):
        if seat.kind == "named" and folded(seat.username) not in found:
            sentence = _("There is no player named %(name)s. Guests can join with an invitation link.")
            raise BadRequest(sentence % {"name": seat.username}, field=f"seats-{number}")
        if seat.kind == "named" and found[folded(seat.username)] == creator:
            raise BadRequest(_("You cannot invite yourself. Take a seat instead."), field=f"seats-{number}")
    return found


def _player(seat: SeatSetup, creator: User, invited: Mapping[str, User]) -> Player:
    if seat.kind == "me":
        return Player(user=creator)
    if seat.kind == "named":
        return Player(access=Access.NAMED, invitee=invited[folded(seat.username)])
    if seat.kind == "bot":
        seed = seats.any_seed() if seat.seed is None else seat.seed
        told = {"bot_opening": seat.opening, "bot_simulations": seat.simulations, "bot_seconds": seat.seconds}
        return Player(bot=seat.bot, bot_seed=seed, **told)
    return Player(access=Access(seat.kind))
