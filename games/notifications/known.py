"""What a player knows already, or is about to be told: of one turn no two messages go by one channel.

And of invitations no two mails in an hour: the one that goes speaks of all that wait for an answer.
"""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db.models import Max, QuerySet

from games.notifications.channels.base import Channel
from games.notifications.kinds import EMAIL, wants
from games.queries.notices.looking import looking_at
from games.queries.notices.told import messages_to, moved_last, turn_notices
from games.queries.tables.turns import next_number
from games.values import Occasion

if TYPE_CHECKING:
    from games.models import Delivery, Notification, Player

#: How long after a mail about invitations another may follow.
NEXT_INVITATIONS_AFTER = timedelta(hours=1)
#: What was stored so shortly before a mail may have been committed after it was written.
STORING = timedelta(seconds=5)
#: How soon an invitation is looked at again while an earlier one is on its way.
LOOKED_AT_AGAIN_AFTER = timedelta(minutes=1)
INVITATIONS = frozenset({Occasion.INVITED, Occasion.REMATCH})


def knows_turn(player: "Player", number: int, now: datetime) -> bool:
    """Whether the player looks at the game, has just moved, or has been notified of this very turn.

    A turn can change its number: another seat's retirement takes one.
    """
    if player.user_id in looking_at(player.game_id, now):
        return True
    if moved_last(player):
        return True
    return (
        turn_notices(player.user_id, player.game_id)
        .filter(created_at__gte=player.game.turn_since)
        .exclude(event=number)
        .exists()
    )


def is_told_by_turn(begun: "Notification", channel: Channel, now: datetime) -> bool:
    """Return whether the notice of the person's own turn says by this channel, in its stead, that a game has started or
    that a pause is over.

    That notice may be stored already, or be about to. A turn of which they were notified before the pause has no other.
    """
    game = begun.game
    if game.turn_user_id != begun.user_id or not wants(begun.user, Occasion.TURN, channel.name):
        return False
    turns = turn_notices(begun.user_id, game.pk)
    if turns.filter(created_at__gte=begun.created_at).exists():
        return True
    number = next_number(game)
    if not game.is_notice_due or turns.filter(event=number).exists():
        return False
    return not knows_turn(next(one for one in game.players.all() if one.seat == game.turn_seat), number, now)


def is_told_elsewhere(notification: "Notification", channel: Channel, now: datetime) -> bool:
    """Return whether another message by this channel says it in this one's stead: one about a turn, or invitations."""
    if notification.occasion in {Occasion.STARTED, Occasion.RESUMED}:
        return is_told_by_turn(notification, channel, now)
    if notification.occasion not in INVITATIONS or channel.name != EMAIL:
        return False
    written = _invitation_mails(notification).filter(sent_at__gte=notification.created_at + STORING)
    return written.exists()


def invitation_held_until(delivery: "Delivery", now: datetime) -> datetime | None:
    """Return until when a mail about an invitation is to wait, since another one is on its way or has just gone.

    None if it goes out now. Those that wait follow each other in the order of their keys, so that of two workers one
    sends: the other sees the first mail waiting, or else sent.
    """
    if delivery.channel != EMAIL or delivery.notification.occasion not in INVITATIONS:
        return None
    mails = _invitation_mails(delivery.notification)
    first = mails.filter(due_at__isnull=False, pk__lt=delivery.pk).order_by("pk").first()
    if first is not None and first.due_at is not None:
        return max(first.due_at, now + LOOKED_AT_AGAIN_AFTER)
    last = mails.filter(sent_at__gt=now - NEXT_INVITATIONS_AFTER).aggregate(last=Max("sent_at"))["last"]
    is_told = last is not None and last >= delivery.notification.created_at + STORING
    return None if last is None or is_told else last + NEXT_INVITATIONS_AFTER


def _invitation_mails(notification: "Notification") -> "QuerySet[Delivery]":
    return messages_to(notification.user_id, INVITATIONS, EMAIL)
