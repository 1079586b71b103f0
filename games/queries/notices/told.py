"""What a person has been told already, or knows: by notices, by mails, by a move of their own."""

from collections.abc import Iterable

from django.db.models import F, QuerySet

from games.models import Delivery, Move, Notification, Player
from games.values import Occasion, Status


def moved_last(player: Player) -> bool:
    """Return whether the last move that was made by someone, and not by the rules, is this player's. One query."""
    made = Move.objects.filter(game=player.game_id, is_automatic=False, number__gt=F("game__given_moves"))
    last = made.last()
    return last is not None and last.seat == player.seat


def turn_notices(user_id: int | None, game_id: int) -> QuerySet[Notification]:
    """Return the notices of their turns in a game that a person has had."""
    return Notification.objects.filter(user=user_id, game=game_id, occasion=Occasion.TURN)


def messages_to(user_id: int, occasions: Iterable[str], channel: str) -> QuerySet[Delivery]:
    """Return the messages to a person by a channel about such occasions."""
    return Delivery.objects.filter(channel=channel, notification__user=user_id, notification__occasion__in=[*occasions])


def count_invitations(user_id: int, but: int) -> int:
    """Return to how many tables that wait a person is invited, one game left out. One query."""
    seats = Player.objects.filter(invitee=user_id, user=None, is_going=True, game__status=Status.OPEN)
    return seats.exclude(game=but).values("game").distinct().count()
