"""The steps that everything before the start shares: taking a seat, leaving it, being told of it."""

import secrets
from datetime import datetime

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import access, events, lifecycle
from games.errors import NotSeated, SeatTaken, TooMany, WrongStatus
from games.models import Access, Game, Player, Status
from games.setup import MAX_SEED

MAX_GAMES = 40


def any_seed() -> int:
    """Return a seed for a bot that nobody can guess."""
    return secrets.randbelow(MAX_SEED)


def lock_person(user: User) -> User:
    """Return the person's row, locked until the transaction ends, before any game is locked.

    So nobody passes the limit by asking twice at once, and nobody sits down while the account is being closed.

    Raises:
        NotSeated: the account is closed.

    """
    person = User.objects.select_for_update(no_key=True).filter(pk=user.pk, is_active=True).first()
    if person is None:
        raise NotSeated(_("This account is closed."), code="account-closed")
    return person


def check_open(game: Game) -> None:
    """Refuse unless the table waits for players.

    Raises:
        WrongStatus: it has started, is over, or was cancelled.

    """
    if game.status == Status.CANCELLED:
        raise WrongStatus(_("This table was given up."), code="cancelled")
    if game.status != Status.OPEN:
        raise WrongStatus(_("The game has already started."), code="started")


def check_limit(user: User) -> None:
    """Refuse one more table to whoever has as many as one person may have; the person's row is locked. One query.

    Raises:
        TooMany: 40 tables are open or running.

    """
    going = Game.objects.filter(status__in=(Status.OPEN, Status.RUNNING))
    mine = going.filter(Q(creator=user) | Q(pk__in=Player.objects.filter(user=user, retired="").values("game")))
    if mine.count() >= MAX_GAMES:
        raise TooMany(_("You have 40 games going. Finish one before you start another."), retry_after=3600)


def seat_for(game: Game, user: User, seat: int | None, token: str) -> Player:
    """Return the empty seat that this user may take: the one asked for, else the best there is.

    Raises:
        SeatTaken: none is left for this user, or the one asked for is not.

    """
    may_sit = [player for player in game.players.all() if _may_sit(player, user, access.holds_token(game, token))]
    own = [player for player in may_sit if player.invitee_id == user.pk]
    choice = [player for player in own or may_sit if seat in (None, player.seat)]
    if not choice:
        raise SeatTaken(_("This seat is not free for you. Look at the table again.") if may_sit else NO_SEAT)
    return min(choice, key=lambda player: (player.access != Access.LINK, player.seat))


NO_SEAT = _("There is no free seat for you at this table.")


def _may_sit(player: Player, user: User, has_token: bool) -> bool:
    """Whether the seat is empty and meant for this user; `has_token` opens link seats, and all of a private game."""
    if player.user_id is not None or player.bot:
        return False
    if player.access == Access.NAMED:
        return player.invitee_id == user.pk
    return has_token or (player.access == Access.OPEN and player.game.is_public)


def take(game: Game, player: Player, user: User, now: datetime) -> None:
    """Seat the user, start the game if that was the last seat, and tell it after commit."""
    player.user, player.joined_at = user, now
    player.save(update_fields=["user", "joined_at"])
    lifecycle.grow(game, now)
    events.publish(events.SeatsChanged(**lifecycle.about(game)))
    lifecycle.start_if_full(game, now)


def vacate(game: Game, player: Player, now: datetime) -> None:
    """Empty a seat before the start and tell it after commit. A seat that was kept for somebody is then for anyone."""
    former = (player.user_id or player.invitee_id or 0,)
    if player.access == Access.NAMED:
        player.access, player.invitee = Access.OPEN, None
    player.user = player.joined_at = None
    player.save(update_fields=["access", "invitee", "user", "joined_at"])
    lifecycle.grow(game, now)
    events.publish(events.SeatsChanged(**lifecycle.about(game), former=former))


def cancel(game: Game, now: datetime) -> None:
    """Give the open table up and tell it after commit. If it was a rematch, another may be asked for.

    The finished game before it is locked, as `lock_before` does.
    """
    before = game.rematch_of
    game.status, game.rematch_of = Status.CANCELLED, None
    game.save(update_fields=["status", "rematch_of"])
    lifecycle.grow(game, now)
    events.publish(events.GameCancelled(**lifecycle.about(game)))
    if before is not None:
        lifecycle.grow(before, now)
        events.publish(events.RematchCancelled(**lifecycle.about(before)))


def lock_before(slug: str) -> None:
    """Lock the finished game that this table is a rematch of, if it is one: always the older of two games first."""
    if access.SLUG.fullmatch(slug):
        list(Game.objects.select_for_update(no_key=True, of=("self",)).filter(rematch__slug=slug))
