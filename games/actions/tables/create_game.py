"""Open a table."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from accounts import names
from accounts.models import User
from games.base.children import is_hidden
from games.base.given import GivenStart
from games.base.groups import membership_to_change
from games.base.positions import load_board
from games.base.setup import GameSetup, SeatSetup, check_setup, folded, with_pieces_of_bot
from games.base.talk import check_may_write
from games.base.terms import columns_of
from games.errors import BadRequest, InvitationRefused
from games.models import Access, Game, Membership, Player, Status
from games.table import moves, opening, seats
from games.table.inviting import refusals
from games.table.opening import TAPPED_TWICE
from games.table.people.calling import call_members

#: Of so many tables that a person has opened last, one may be that of a first tap: more are not opened in that time.
LATEST_TABLES = 40


def create_game(
    creator: User,
    setup: GameSetup,
    *,
    group: str = "",
    given: GivenStart | None = None,
    is_tapped: bool = False,
    now: datetime | None = None,
) -> Game:
    """Return the new table, started at once when no seat is empty.

    The seats are shuffled unless the setup says not to; chosen colours stay with the numbers of the seats. A table of
    the `group` with this slug is seen by its members, who are notified of it and take its open seats; it is public to
    no one else. Where it `is_tapped`, by a button and no form, a second tap finds the table of the first while that
    waits.

    Where a bot names the opening pieces, a seat is kept for the creator, who chooses the side by taking it; then the
    game begins.

    What is `given` are the first moves: the game begins at that position, on the same board, and is not rated. A second
    tap on the same finds the table of the first.

    Raises:
        BadRequest: the setup makes no sense; `field` names what.
        NotFound: there is no such group, or the creator is no member.
        NotSeated: the table is given a name while a moderator lets the creator write nothing (`silenced`).
        InvitationRefused: a guest invites by name, or a person is not to be invited by this one, or by no one just now;
            or the table is rated, and one person would have two seats there by a bot account (`same-person`).
        TooMany: the creator has as many games, or tables in the lobby or in the group, as one person may have.

    """
    if group:
        setup = setup.among_members()
    if given:
        setup = given.setup(setup)
        if setup.bot_names_pieces:
            raise BadRequest(_("At this position no opening pieces can be named."), field="bot_names_pieces")
    check_setup(setup)
    setup = with_pieces_of_bot(setup)
    # The tables of a board of a chosen size take 0.1 s to build, for which no other write is to wait.
    load_board(setup.variant)
    return _create(creator, setup, group, given, now, is_tapped=is_tapped or given is not None)


@transaction.atomic
def _create(
    creator: User, setup: GameSetup, group: str, given: GivenStart | None, now: datetime | None, *, is_tapped: bool
) -> Game:
    person = seats.lock_person(creator)
    own = membership_to_change(person, group) if group else None
    at = moves.moment(now)
    if is_tapped and (tapped := _tapped_before(person, setup, own.group_id if own else None, given, at)):
        return tapped
    invited = _people(person, setup)
    _check_tables(person, setup, own)
    check_may_write(person, setup.name or "".join(seat.local_name for seat in setup.seats), at)
    game = opening.new_table(person, setup, at)
    game.group = own.group if own else None
    players = (
        _local_players(setup, person)
        if setup.is_on_one_device
        else [_player(seat, person, invited, chooses_side=setup.bot_names_pieces) for seat in setup.seats]
    )
    opening.open_table(game, players, at, given)
    call_members(game, person, at)
    return game


def _check_tables(person: User, setup: GameSetup, own: Membership | None) -> None:
    """Refuse a table that would be one too many of the person's, of those that wait in public or in the group."""
    seats.check_limit(person)
    if setup.is_public and any(seat.kind == "open" for seat in setup.seats):
        seats.check_listed(person)
    if own and any(seat.kind not in ("me", "bot") for seat in setup.seats):
        seats.check_listed_in(own.group_id, person)


def _tapped_before(
    creator: User, setup: GameSetup, group: int | None, given: GivenStart | None, now: datetime
) -> Game | None:
    """Return the table that the creator, whose row is locked, has just opened by the same tap.

    It waits for players; one with given moves may have started too, with the same seats for the same, on the same
    terms.
    """
    if setup.is_on_one_device:
        return _begun_by_tap(creator, setup, now)
    board = setup.variant.partition(":")[0]
    tables = _just_opened(creator, now).filter(group=group)
    for game in tables.exclude(status=Status.CANCELLED).order_by("-pk").prefetch_related("players__invitee"):
        players = game.players.all()
        if given is not None:
            is_same = _is_as_asked(game, setup, creator) and given.is_that_of(game)
        else:
            is_waiting = game.status == Status.OPEN and not game.given_moves
            is_same = is_waiting and game.variant.partition(":")[0] == board and len(players) == len(setup.seats)
        if is_same:
            return game
    return None


def _just_opened(creator: User, now: datetime) -> QuerySet[Game]:
    """Return the tables that a person has opened within the time of a second tap. No query."""
    # Asked by the moment alone, it would go through all tables that the person has ever opened.
    latest = Game.objects.filter(creator=creator).order_by("-pk").values("pk")[:LATEST_TABLES]
    return Game.objects.filter(pk__in=latest, created_at__gt=now - TAPPED_TWICE)


def _begun_by_tap(creator: User, setup: GameSetup, now: datetime) -> Game | None:
    """Return the game on one device that the same tap has just begun: on the same board, for people of these names."""
    asked = [(names.normalise(seat.local_name), seat.bot) for seat in setup.seats]
    begun = _just_opened(creator, now).filter(is_on_one_device=True)
    for game in begun.filter(variant=setup.variant, move_count=0, status=Status.RUNNING).prefetch_related("players"):
        if [(player.local_name, player.bot) for player in game.players.all()] == asked:
            return game
    return None


def _is_as_asked(game: Game, setup: GameSetup, creator: User) -> bool:
    """Return whether a table with given moves is what the setup asks for. Who sits down there leaves it as it is."""
    fixed = {"lets_choose"} | ({"is_public", "is_rated", "allows_texts", "name"} if game.is_sheltered else set())
    asked = {name: value for name, value in columns_of(setup.agreed()).items() if name not in fixed}
    if asked != {name: getattr(game, name) for name in asked}:
        return False
    later = (game.fill_at is not None, game.fill_bot)
    if game.status == Status.OPEN and later != (bool(setup.filled_in), setup.fill_bot if setup.filled_in else ""):
        return False
    players = game.players.all()
    return len(players) == len(setup.seats) and all(map(partial(_is_seat, creator), setup.seats, players))


def _is_seat(creator: User, seat: SeatSetup, player: Player) -> bool:
    if seat.kind == "me" or player.user_id == creator.pk:
        return seat.kind == "me" and player.user_id == creator.pk
    if seat.kind == "bot":
        asked = (seat.bot, seat.opening, seat.simulations, seat.seconds)
        return asked == (player.bot, player.bot_opening, player.bot_simulations, player.bot_seconds)
    if seat.kind == "named":
        return player.invitee is not None and folded(seat.username) in map(folded, player.invitee.all_names)
    return not player.bot and player.access == seat.kind


def _people(creator: User, setup: GameSetup) -> Mapping[str, User]:
    """Return the people named in the setup by their names, present or former, folded. One query."""
    # No name holds unprintable characters, and some of them cannot be stored in a database.
    keys = {names.key(seat.username) for seat in setup.seats if seat.kind == "named" and seat.username.isprintable()}
    called = Q(name_key__in=keys) | Q(login_key__in=keys)
    people = User.objects.filter(called, is_active=True, is_guest=False) if keys else ()
    asked = {folded(seat.username) for seat in setup.seats}
    known = [user for user in people if not is_hidden(user, creator)]
    found = {folded(name): user for user in known for name in user.all_names if folded(name) in asked}
    if len(found) != len(set(found.values())):
        raise BadRequest(_("Each player can be invited to only one seat."), field="seats")
    for number, seat in enumerate(setup.seats):
        if seat.kind == "named":
            _check_named(creator, seat.username, found, field=f"seats-{number}")
    if found:
        _check_invitations(creator, setup, found)
    return found


def _check_named(creator: User, name: str, found: Mapping[str, User], field: str) -> None:
    if folded(name) not in found:
        sentence = _("There is no player named %(name)s. Guests can join with an invitation link.")
        raise BadRequest(sentence % {"name": name}, field=field)
    if found[folded(name)] == creator:
        raise BadRequest(_("You cannot invite yourself. Take a seat instead."), field=field)


def _check_invitations(creator: User, setup: GameSetup, invited: Mapping[str, User]) -> None:
    """Refuse invitations by guests, and to whoever is not to be invited by this person now. Five queries at most."""
    seats_of = {found.pk: f"seats-{number}" for number, found in _named(setup, invited)}
    if creator.is_guest:
        sentence = _("Guests invite by link. Choose “By invitation link” for this seat, and send the link.")
        raise InvitationRefused(sentence, code="guest-invites", field=min(seats_of.values()))
    for person, refusal in refusals(creator, invited.values()).items():
        raise replace(refusal, field=seats_of[person])
    if setup.agreed().is_rated:
        _check_one_person(creator if any(seat.kind == "me" for seat in setup.seats) else None, _named(setup, invited))


def _check_one_person(seated: User | None, invited: Iterable[tuple[int, User]]) -> None:
    """Refuse a rated table at which one person would have two seats, as they could not accept it. No query."""
    payers = {seated.operator_id or seated.pk} if seated else set()
    for number, person in invited:
        payer = person.operator_id or person.pk
        if payer in payers:
            raise InvitationRefused(seats.SAME_PERSON, code="same-person", field=f"seats-{number}")
        payers.add(payer)


def _named(setup: GameSetup, invited: Mapping[str, User]) -> Iterable[tuple[int, User]]:
    return [(n, invited[folded(seat.username)]) for n, seat in enumerate(setup.seats) if seat.kind == "named"]


def _local_players(setup: GameSetup, creator: User) -> list[Player]:
    """Return the seats of a table whose people sit at one device."""
    players = []
    for seat in setup.seats:
        player = Player() if seat.kind == "local" else _player(seat, creator, {})
        player.is_local = not player.bot
        player.local_name = names.normalise(seat.local_name)
        players.append(player)
    return players


def _player(seat: SeatSetup, creator: User, invited: Mapping[str, User], *, chooses_side: bool = False) -> Player:
    if seat.kind == "me":
        return Player(access=Access.NAMED, invitee=creator) if chooses_side else Player(user=creator)
    if seat.kind == "named":
        return Player(access=Access.NAMED, invitee=invited[folded(seat.username)])
    if seat.kind == "bot":
        seed = seats.any_seed() if seat.seed is None else seat.seed
        told = {"bot_opening": seat.opening, "bot_simulations": seat.simulations, "bot_seconds": seat.seconds}
        return Player(bot=seat.bot, bot_seed=seed, **told)
    return Player(access=Access(seat.kind))
