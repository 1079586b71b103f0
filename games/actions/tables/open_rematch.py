"""Play again: same settings, same people."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import events
from games.base import access, apart, counters
from games.errors import NotSeated, WrongStatus
from games.models import Game, Player, Status
from games.table import again, changes, inviting, moves, opening, seats


@transaction.atomic
def open_rematch(user: User, slug: str, *, rotates: bool = False, now: datetime | None = None) -> Game:
    """Return the one new table that follows a finished game, opened by the first player who asks.

    The others of the old table are invited to it, and a player who asks later accepts the invitation. The seats of
    people from whom the user is kept apart are as free as those of people who are gone, and at a table of a group those
    of people who do not belong to it any more. Bots sit again,
    with new seeds; where the pieces are drawn, they are drawn again. With `rotates` the seats are not drawn: each
    player takes the seat after their own, with its colours, and the last player begins.

    Raises:
        NotSeated: the user neither played nor opened the old table, or the new one is rated and they have a seat there
            by another account (`same-person`).
        InvitationRefused: one of the others has as many invitations of the user's to answer as there may be.
        NotFound, WrongStatus, TooMany: nothing has changed.

    """
    person = seats.lock_person(user)
    old = access.game_to_change(person, slug)
    if access.seat_of(old, person) is None and old.creator_id != person.pk:
        raise NotSeated(_("You did not play in this game."))
    if old.status != Status.FINISHED:
        raise WrongStatus(_("You can ask for a rematch once the game is over."), code="not-over")
    at = moves.moment(now)
    following = Game.objects.filter(rematch_of=old).first()
    if following is not None:
        return _accept(following, person, at)
    seats.check_limit(person)
    game = opening.new_table(person, again.setup_of(old, person, at, rotates=rotates), at)
    game.rematch_of = old
    game.group_id = again.group_again(old, person)
    away = apart.apart_from(person) | again.strangers(old, game.group_id)
    rows = [again.seat_again(player, person, away) for player in _in_order(old, rotates)]
    inviting.check_rematch(person, [player.invitee for player in rows if player.invitee is not None])
    with counters.together():
        # The old game's pages are told before the invitations to the new one are announced.
        changes.grow(old, at)
        events.publish(events.RematchOpened(**changes.about(old)))
        opening.open_table(game, rows, at)
    return game


def _accept(following: Game, user: User, now: datetime) -> Game:
    """Return the table that another player has opened, with the user's invitation to it accepted.

    Where the other has named the opening pieces it is left to the user to accept, with a side.
    """
    game = access.game_to_change(user, following.slug)
    kept = [player for player in game.players.all() if player.invitee_id == user.pk and player.user_id is None]
    if kept and game.status == Status.OPEN and not game.offers_sides and not apart.is_kept_from(game, user):
        seats.check_one_person(game, user)
        seats.check_limit(user)
        seats.take(game, kept[0], user, now)
    return game


def _in_order(game: Game, rotates: bool) -> list[Player]:
    """Return the players by their seat at the new table."""
    players = list(game.players.all())
    return [players[-1], *players[:-1]] if rotates else players
