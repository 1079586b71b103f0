"""Same group again: a new table with the people and the terms of any earlier game."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import events
from games.base import access, apart, counters
from games.errors import InvitationRefused, NotSeated, WrongStatus
from games.models import Access, Game, Player, Status
from games.table import again, changes, inviting, moves, opening, seats
from games.table.opening import TAPPED_TWICE


@dataclass(frozen=True)
class TableAgain:
    """The table, and why some of the people are not invited to it: anyone with its link may take their seats.

    `refused` has a sentence for each person who cannot be invited now, `gone` counts those whose account is closed.
    """

    game: Game
    refused: tuple[InvitationRefused, ...] = ()
    gone: int = 0


@transaction.atomic
def repeat_table(user: User, slug: str, *, now: datetime | None = None) -> TableAgain:
    """Return a table for the people of a finished game, who are invited to it; bots sit again.

    At a table of a group those are not invited who do not belong to it any more.

    Where a table of the same people on the same board waits already, the user sits down at that one. The first table
    that follows a game is its rematch.

    Raises:
        NotSeated: the user neither played nor opened the old table, or the new one is rated and they have a seat there
            by another account (`same-person`).
        InvitationRefused: none of the others can be invited now, or the user is a guest, who invites by link alone.
        NotFound, WrongStatus, TooMany: nothing has changed.

    """
    person = seats.lock_person(user)
    old = access.game_to_view(person, slug)
    if access.seat_of(old, person) is None and old.creator_id != person.pk:
        raise NotSeated(_("You did not play in this game."))
    if old.status != Status.FINISHED:
        raise WrongStatus(_("You can ask for the same group once the game is over."), code="not-over")
    at = moves.moment(now)
    # Looked for before any game is locked: it may be older than the finished one.
    if found := _waiting(person, old, at):
        return TableAgain(_sit_down(found, person, at))
    old = access.game_to_change(person, slug)
    if found := _waiting(person, old, at, after=old.pk):
        return TableAgain(_sit_down(found, person, at))
    return _open(person, old, at)


def _open(person: User, old: Game, now: datetime) -> TableAgain:
    players = list(old.players.all())
    others = [each.user for each in players if each.user and each.user_id != person.pk]
    if others and person.is_guest:
        sentence = _("Guests invite by link. Open a new table, and send its link to the others.")
        raise InvitationRefused(sentence, code="guest-invites")
    present = [other for other in others if other.is_active]
    group = again.group_again(old, person)
    outside = again.strangers(old, group)
    strangers = {other.pk: _no_member(other) for other in present if other.pk in outside}
    refused = {**inviting.refusals(person, present), **strangers}
    if others and len(refused) == len(present):
        raise next(iter(refused.values()), _closed())
    seats.check_limit(person)
    game = opening.new_table(person, again.setup_of(old, person, now), now)
    game.group_id = group
    is_rematch = not Game.objects.filter(rematch_of=old).exists()
    if is_rematch:
        game.rematch_of = old
    rows = [again.seat_again(player, person, frozenset(refused), Access.LINK) for player in players]
    with counters.together():
        if is_rematch:
            # The old game's pages are told before the invitations to the new one are announced.
            changes.grow(old, now)
            events.publish(events.RematchOpened(**changes.about(old)))
        opening.open_table(game, rows, now)
    return TableAgain(game, tuple(refused.values()), len(others) - len(present))


def _closed() -> InvitationRefused:
    sentence = _("The others of this game have closed their accounts. Open a new table for other people.")
    return InvitationRefused(sentence, code="all-gone")


def _no_member(other: User) -> InvitationRefused:
    sentence = _("%(name)s is not a member of the group of this game. A member can invite them to a table by name.")
    return InvitationRefused(sentence % {"name": other.username}, code="not-member")


def _sit_down(slug: str, person: User, now: datetime) -> Game:
    """Return the table, with the person's invitation to it accepted where there is one and no side is to be chosen."""
    game = access.game_to_change(person, slug)
    kept = [player for player in game.players.all() if player.invitee_id == person.pk and player.user_id is None]
    if kept and game.status == Status.OPEN and not game.offers_sides:
        seats.check_one_person(game, person)
        seats.check_limit(person)
        seats.take(game, kept[0], person, now)
    return game


def _waiting(person: User, old: Game, now: datetime, after: int = 0) -> str:
    """Return the slug of the newest table after a game at which the same people sit or are invited; empty for none.

    So is what this person opened by a first tap, where some of them could not be invited, and the game that began a
    moment ago because they sat down. Two queries, one where they sit nowhere.
    """
    board, people = _board(old), _people(old)
    away = apart.apart_from(person)
    own = Player.objects.filter(user=person, is_going=True).order_by().values("game")
    asked = Player.objects.filter(invitee=person, user=None, is_going=True).order_by().values("game")
    games = Game.objects.filter(pk__in=own.union(asked), pk__gt=after).exclude(pk=old.pk).prefetch_related("players")
    for game in games.order_by("-pk"):
        if _board(game) != board:
            continue
        if game.creator_id == person.pk and now - game.created_at < TAPPED_TWICE and _people(game) <= people:
            return game.slug
        is_waiting = game.status == Status.OPEN or (game.started_at and now - game.started_at < TAPPED_TWICE)
        if is_waiting and _people(game) == people and people.isdisjoint(away):
            return game.slug
    return ""


def _board(game: Game) -> tuple[str, int]:
    """Return the variant without its size and seed, and how many seats there are."""
    return game.variant.partition(":")[0], len(game.players.all())


def _people(game: Game) -> frozenset[int]:
    keys = (player.user_id or player.invitee_id for player in game.players.all())
    return frozenset(key for key in keys if key is not None)
