"""Sending what stands in the outbox: each message once, and none that is no longer news."""

import logging
from datetime import datetime, timedelta
from functools import partial

from django.db.models import Prefetch

from accounts.mail.handing_in import mail_server
from accounts.outbox import Outbox
from games.models import Delivery, Notification, Occasion, Player, Status
from games.notifications.channels import channel_called
from games.notifications.channels.base import Channel, DeliveryError
from games.notifications.kinds import EMAIL, wants
from games.notifications.known import invitation_held_until, is_told_elsewhere
from games.notifications.messages import as_read_by, message_of
from games.notifications.quiet import held_until
from games.queries.notices.channels import game_channel_of
from games.queries.notices.looking import looking_at
from games.queries.people.groups import has_seat_for
from games.queries.play.takebacks import hidden_until
from games.queries.tables.turns import first_reminder, next_number

logger = logging.getLogger(__name__)

#: After this time a worker that began to send is taken for dead; sending is tried this many times.
CLAIM, ATTEMPTS = timedelta(minutes=5), 5

DELIVERY_OUTBOX = Outbox(Delivery, CLAIM, CLAIM)


def deliver(delivery_id: int, tries: int, *, now: datetime) -> bool:
    """Send a message of which that many tries have begun, if it is still news; return whether it was sent now.

    Safe to repeat and to run twice at once: the worker that counts the try sends. Only a process killed between the
    moment at which a message is taken and the next statement, which notes it, sends a second one; it has the same key.
    """
    delivery = _find(delivery_id, tries)
    if delivery is None or _hold(delivery, now) or not DELIVERY_OUTBOX.claim(delivery_id, tries, now):
        return False
    channel = channel_called(delivery.channel)
    if channel is None or tries >= ATTEMPTS or not _is_wanted(delivery.notification, channel, now):
        DELIVERY_OUTBOX.close(delivery_id)
        return False
    return _send(channel, delivery, now)


def _find(delivery_id: int, tries: int) -> Delivery | None:
    players = Prefetch("notification__game__players", Player.objects.select_related("user", "invitee"))
    related = ("notification__user", "notification__game", "notification__other")
    return DELIVERY_OUTBOX.find(delivery_id, tries).select_related(*related).prefetch_related(players).first()


def _hold(delivery: Delivery, now: datetime) -> bool:
    """Put off what can wait for the end of quiet hours or of an hour between mails, and what has to wait for the mail
    server; return whether it is so.

    So does what would show a move that its player can still take back alone. No try is counted.
    """
    notification = delivery.notification
    until = held_until(notification, now) or invitation_held_until(delivery, now)
    until = until or hidden_until(notification.game, notification.user_id, now)
    if until is None and delivery.channel == EMAIL and (rest := mail_server.rest()):
        until = now + rest
    if until is not None:
        DELIVERY_OUTBOX.put_off(delivery.pk, delivery.tries, until)
    return until is not None


def _is_wanted(notification: Notification, channel: Channel, now: datetime) -> bool:
    """Whether the person still wants it this way, has not seen it on the site, and does not look at the game."""
    user = notification.user
    if (
        not user.is_active
        or user.is_suspended
        or notification.read_at
        or not wants(user, notification.occasion, channel.name)
    ):
        return False
    if not _is_news(notification) or user.pk in looking_at(notification.game_id, now):
        return False
    if is_told_elsewhere(notification, channel, now):
        return False
    return channel.is_confirmed(user)


def _is_news(notification: Notification) -> bool:
    """Whether what was announced still waits for the person. What has simply happened stays news."""
    game = notification.game
    if notification.occasion == Occasion.TURN:
        return game.turn_user_id == notification.user_id and next_number(game) == notification.event
    if notification.occasion == Occasion.DEADLINE:
        is_same = notification.event - first_reminder(game) in (0, 1)
        return game.turn_user_id == notification.user_id and is_same
    if notification.occasion in {Occasion.INVITED, Occasion.REMATCH}:
        kept = any(seat.invitee_id == notification.user_id and seat.user_id is None for seat in game.players.all())
        return kept and game.status == Status.OPEN
    if notification.occasion == Occasion.GROUP_TABLE:
        return has_seat_for(game, notification.user)
    if notification.occasion in {Occasion.PAUSE, Occasion.PAUSED, Occasion.RESUMED}:
        return _is_news_of_pause(notification)
    if notification.occasion == Occasion.TAKEBACK:
        return _is_news_of_takeback(notification)
    if notification.occasion == Occasion.POSTING:
        channel = game_channel_of(game.pk)
        return channel is not None and bool(channel.waits_for({notification.user_id}))
    return True


def _is_news_of_takeback(notification: Notification) -> bool:
    game, asked = notification.game, notification.game.asked_takeback
    wanted_by = {player.user_id for player in game.players.all() if asked and player.seat in asked.seats}
    return asked is not None and asked.version == notification.event and notification.user_id not in wanted_by


def _is_news_of_pause(notification: Notification) -> bool:
    game = notification.game
    if notification.occasion == Occasion.PAUSE:
        asked = game.asked_pause
        wanted_by = {player.user_id for player in game.players.all() if asked and player.seat in asked.seats}
        return asked is not None and asked.version == notification.event and notification.user_id not in wanted_by
    is_same = game.pause_version == notification.event
    return is_same and (game.is_paused if notification.occasion == Occasion.PAUSED else game.status == Status.RUNNING)


def _send(channel: Channel, delivery: Delivery, now: datetime) -> bool:
    user = delivery.notification.user
    try:
        with as_read_by(user):
            channel.send(user, message_of(delivery.notification), partial(DELIVERY_OUTBOX.close, delivery.pk, now))
    except DeliveryError as error:
        log = logger.warning if error.is_known else logger.exception
        if delivery.tries + 1 >= ATTEMPTS:
            log("Notice %s was not sent and is given up.", delivery.pk)
            DELIVERY_OUTBOX.close(delivery.pk)
        else:
            log("Notice %s was not sent; it is tried again.", delivery.pk)
        return False
    return True
