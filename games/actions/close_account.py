"""Leave every table when an account is closed."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from games import access, lifecycle, moves, seats
from games.models import Game, Reason, Status


@transaction.atomic
def retire_everywhere(user: User, *, now: datetime | None = None) -> None:
    """Retire the user's running games, leave or cancel open tables, and drop invitations; finished games stay.

    Games are locked in the order of their numbers, so that two closing accounts cannot wait for each other.
    """
    touched = Q(players__user=user) | Q(players__invitee=user) | Q(creator=user)
    running = Game.objects.filter(touched, status__in=(Status.OPEN, Status.RUNNING))
    for slug in list(running.order_by("pk").values_list("slug", flat=True).distinct()):
        seats.lock_before(slug)
        _close(access.game_to_change(user, slug), user, moves.moment(now))


def _close(game: Game, user: User, now: datetime) -> None:
    if game.status == Status.OPEN:
        _close_open(game, user, now)
        return
    if game.is_paused and access.conducts(user, game):
        # Nobody else could let the bots go on.
        lifecycle.resume(game, now)
    player = access.seat_of(game, user)
    if game.status == Status.RUNNING and player is not None and not player.retired:
        lifecycle.retire(game, moves.moves_of(game), player, Reason.RESIGNED, None, now)


def _close_open(game: Game, user: User, now: datetime) -> None:
    if game.creator_id == user.pk:
        seats.cancel(game, now)
        return
    for player in game.players.all():
        if user.pk in (player.user_id, player.invitee_id):
            seats.vacate(game, player, now)
