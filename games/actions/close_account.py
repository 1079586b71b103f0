"""Leave every table when an account is closed."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import access, counters, lifecycle, moves, seats
from games.models import DailyDigest, Game, Notification, Player, Reason, Status, TableChange


@transaction.atomic
def retire_everywhere(user: User, *, now: datetime | None = None) -> None:
    """Retire the user's running games, leave or cancel open tables, and drop invitations; finished games stay.
    No table that the user opened keeps a name with the user's in it.

    Games are locked in the order of their numbers, so that two closing accounts cannot wait for each other. The people
    that the user has played with are forgotten, and the user's notices, and that tables were closed to the user.
    """
    going = Player.objects.filter(is_going=True).order_by().values("game")
    opened = Game.objects.filter(creator=user, status__in=(Status.OPEN, Status.RUNNING)).values("pk")
    named = Game.objects.filter(creator=user, name__icontains=user.username).order_by().values("pk")
    touched = opened.union(going.filter(user=user), going.filter(invitee=user), named)
    with counters.together():
        for slug in list(Game.objects.filter(pk__in=touched).order_by("pk").values_list("slug", flat=True)):
            seats.lock_before(slug)
            game = access.game_to_change(user, slug)
            _close(game, user, moves.moment(now))
            _forget_name(game, user, moves.moment(now))
    # All games in which these rows could be written are locked by now.
    counters.part(user.pk)
    Notification.objects.filter(user=user).delete()
    TableChange.objects.filter(person=user).delete()
    DailyDigest.objects.filter(user=user).delete()


def _forget_name(game: Game, user: User, now: datetime) -> None:
    """Take away the name of a table that has the user's in it: "Anna's birthday"."""
    if user.username.casefold() in game.name.casefold():
        game.name = ""
        game.save(update_fields=["name"])
        lifecycle.grow(game, now)


def _close(game: Game, user: User, now: datetime) -> None:
    if game.status == Status.OPEN:
        _close_open(game, user, now)
        return
    if game.is_paused and access.can_control(user, game):
        # No other person could resume the bots.
        lifecycle.resume_bots(game, now)
    player = access.seat_of(game, user)
    if game.status == Status.RUNNING and player is not None and not player.retired:
        lifecycle.retire(game, moves.load_moves(game), player, Reason.RESIGNED, None, now)


def _close_open(game: Game, user: User, now: datetime) -> None:
    if game.creator_id == user.pk:
        seats.cancel_table(game, now)
        return
    for player in game.players.all():
        if user.pk in (player.user_id, player.invitee_id):
            seats.vacate(game, player, now)
