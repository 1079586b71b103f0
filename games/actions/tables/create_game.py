"""Open a table."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts import names
from accounts.models import InvitedBy, User
from games.base import apart
from games.base.positions import load_board
from games.base.setup import GameSetup, SeatSetup, check_setup, folded
from games.base.talk import check_may_write
from games.errors import BadRequest, InvitationRefused
from games.models import Access, Companion, FollowedPerson, Game, Player, Status
from games.table import moves, opening, seats

#: How many invitations of one person may wait for another's answer, and how many of people who never played with them.
MOST_OF_ONE, MOST_OF_STRANGERS = 3, 10


def create_game(creator: User, setup: GameSetup, *, now: datetime | None = None) -> Game:
    """Return the new table, started at once when no seat is empty.

    The seats are shuffled unless the setup says not to; chosen colours stay with the numbers of the seats.

    Raises:
        BadRequest: the setup makes no sense; `field` names what.
        NotSeated: the table is given a name while a moderator lets the creator write nothing (`silenced`).
        InvitationRefused: a guest invites by name, or a person is not to be invited by this one, or by no one just now.
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
    check_may_write(person, setup.name, at)
    game = opening.new_table(person, setup, at)
    opening.open_table(game, [_player(seat, person, invited) for seat in setup.seats], at)
    return game


def _people(creator: User, setup: GameSetup) -> Mapping[str, User]:
    """Return the people named in the setup by their names, present or former, folded. One query."""
    # No name holds unprintable characters, and some of them cannot be stored in a database.
    keys = {names.key(seat.username) for seat in setup.seats if seat.kind == "named" and seat.username.isprintable()}
    called = Q(name_key__in=keys) | Q(login_key__in=keys)
    people = User.objects.filter(called, is_active=True, is_guest=False) if keys else ()
    asked = {folded(seat.username) for seat in setup.seats}
    found = {folded(name): user for user in people for name in user.all_names if folded(name) in asked}
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
    """Refuse invitations by guests, and more to one person than may wait for their answer. Two queries.

    The bots of a person invite as that person does, who may invite them as often as they like. A rematch is none of
    these invitations: it comes from people who have just played. Only the creator's row is locked: strangers who
    invite at one instant may be a few more than there may be.
    """
    seats_of = {found.pk: f"seats-{number}" for number, found in _named(setup, invited)}
    if creator.is_guest:
        sentence = _("Guests invite by link. Choose “By invitation link” for this seat, and send the link.")
        raise InvitationRefused(sentence, code="guest-invites", field=min(seats_of.values()))
    payer = creator.operator_id or creator.pk
    others = {found.pk: found for found in invited.values() if found.operator_id != payer}
    away = apart.apart_from(creator)
    followers = _followers(creator, others.values())
    open_ones = _open_invitations(others)
    inviting = {creator.pk, *(each.by for each in open_ones)}
    known = {*Companion.objects.filter(user__in=others, other__in=inviting).values_list("user", "other")}
    for pk, person in others.items():
        waiting = [each for each in open_ones if each.to == pk]
        _check_own(person, waiting, payer, field=seats_of[pk])
        if pk in away and apart.has_blocked(creator, person):
            sentence = _("You have blocked %(name)s. Unblock them on their page to invite them.")
            raise InvitationRefused(sentence % _named_as(person), code="blocked", field=seats_of[pk])
        has_played = (pk, creator.pk) in known
        of_strangers = sum((pk, each.by) not in known for each in waiting)
        is_full = not has_played and of_strangers >= MOST_OF_STRANGERS
        # One sentence for all, so that the blocked are not told.
        if is_full or pk in away or not _wants(person, has_played=has_played, follows=pk in followers):
            sentence = _("%(name)s cannot be invited at the moment. Send a link, or invite again later.")
            raise InvitationRefused(sentence % _named_as(person), code="invitations-full", field=seats_of[pk])


def _check_own(person: User, waiting: Collection["_Invitation"], payer: int, field: str) -> None:
    if sum(each.payer == payer for each in waiting) >= MOST_OF_ONE:
        values = {"name": person.username, "most": MOST_OF_ONE}
        sentence = _(
            "%(name)s has %(most)d invitations from you to answer already. Wait for an answer, or send a link."
        )
        raise InvitationRefused(sentence % values, code="invited-enough", field=field)


def _named_as(person: User) -> dict[str, str]:
    return {"name": person.username}


def _wants(person: User, *, has_played: bool, follows: bool) -> bool:
    """Return whether a person wants to be invited by one whom they follow, with whom they have played, or neither."""
    wanted = {
        InvitedBy.EVERYONE: True,
        InvitedBy.PLAYED: has_played or follows,
        InvitedBy.FOLLOWED: follows,
        InvitedBy.NO_ONE: False,
    }
    return wanted[InvitedBy(person.invited_by)]


def _followers(creator: User, people: Iterable[User]) -> set[int]:
    """Return which of these people follow the creator, of those for whom it counts. One query, none for no one."""
    asked = [person for person in people if person.invited_by in (InvitedBy.PLAYED, InvitedBy.FOLLOWED)]
    if not asked:
        return set()
    return {*FollowedPerson.objects.filter(person__in=asked, other=creator).values_list("person", flat=True)}


class _Invitation(NamedTuple):
    """An invitation that waits for an answer: to whom, by whom, and who answers for that one."""

    to: int
    by: int
    payer: int


def _open_invitations(people: Collection[int]) -> list[_Invitation]:
    """Return the invitations that wait for an answer of these people. One query."""
    waiting = Player.objects.filter(
        invitee__in=people, user=None, is_going=True, game__status=Status.OPEN, game__rematch_of=None
    )
    rows = waiting.values_list("invitee", "game__creator", "game__creator__operator")
    return [_Invitation(to, by, operator or by) for to, by, operator in rows]


def _named(setup: GameSetup, invited: Mapping[str, User]) -> Iterable[tuple[int, User]]:
    """Return the people that the setup names, with the numbers of their seats."""
    return [(n, invited[folded(seat.username)]) for n, seat in enumerate(setup.seats) if seat.kind == "named"]


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
