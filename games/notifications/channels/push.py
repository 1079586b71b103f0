"""Web push: a notification of the operating system, on every device on which the person has switched notices on."""

import hashlib
import json
import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from django.db.models import Q
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.outbox import write_down
from games.models import PushSubscription
from games.notifications.channels.base import DeliveryError
from games.notifications.channels.webpush.encryption import encrypt
from games.notifications.channels.webpush.vapid import authorization, from_base64, to_base64
from games.notifications.kinds import PUSH
from games.notifications.messages import Message, as_read_by
from games.notifications.outgoing import LONGEST_POST, NotPublicError, ServiceAnswer, hand_over
from games.notifications.pictured import board_path
from games.queries.notices.devices import devices_of, live_devices
from games.queries.people.going import count_turns

logger = logging.getLogger(__name__)

#: A push service keeps a message for a device that is switched off until the deadline, and never longer than this.
PUSH_KEPT = timedelta(days=28)

#: With less time left than this a device that saves its battery is woken all the same.
URGENT_WITHIN = timedelta(hours=6)


class PushChannel:
    """Notices on devices, to people who have switched them on there and are still logged in."""

    name, label = PUSH, _("Push")
    # Whether a device's login still holds is asked when it is sent to: every move waits for this condition.
    players = Q(user__push_subscriptions__isnull=False)

    def is_offered(self) -> bool:
        """Return True: every site has a key to sign notices with."""
        return True

    def is_confirmed(self, user: User) -> bool:
        """Return whether the person has switched notices on on some device, where the browser asked them itself."""
        return devices_of(user.pk).exists()

    def state(self, user: User) -> str:
        """Return on how many devices notices are on."""
        devices = devices_of(user.pk).count()
        if not devices:
            return gettext("Notices are not switched on for any device yet.")
        return ngettext(
            "Notices are switched on for %(n)d device.", "Notices are switched on for %(n)d devices.", devices
        ) % {"n": devices}

    def send(self, user: User, message: Message, taken: Callable[[], object]) -> None:
        """Send a message to every device that has not had it yet.

        Raises:
            DeliveryError: a device has to be tried again, or none is left.

        """
        now, ends = timezone.now(), time.monotonic() + LONGEST_POST
        # Those that have answered come first. Together they may take as long as one: what is left is tried again.
        devices = sorted(devices_of(user.pk), key=lambda device: device.failing_since is not None)
        answers = [
            _send(device, message, user, now) if time.monotonic() < ends else ServiceAnswer(0)
            for device in devices
            if device.sent_key != message.key
        ]
        has_arrived = len(answers) < len(devices) or any(answer.is_taken for answer in answers)
        if not has_arrived or not all(answer.is_taken or answer.is_gone for answer in answers):
            raise DeliveryError("to a device")
        write_down(taken)


def send_test(device_id: int) -> bool:
    """Send a notice that shows whether notices arrive on a device; return whether its push service took it."""
    device = live_devices().filter(pk=device_id).select_related("user").first()
    if device is None:
        return False
    now = timezone.now()
    with as_read_by(device.user):
        message = Message(
            key=f"test.{device_id}.{now.timestamp():.0f}",
            subject=gettext("Notices work on this device"),
            text="",
            short=gettext("You will see a notice like this when it is your turn."),
            path=reverse("preferences"),
        )
        return _send(device, message, device.user, now).is_taken


def _send(device: PushSubscription, message: Message, user: User, now: datetime) -> ServiceAnswer:
    """Send to one device and note how that went; one that is to be left alone for a while is not asked."""
    if device.rest_until is not None and device.rest_until > now:
        return ServiceAnswer(0)
    try:
        answer = _hand_over(device, message, user, now)
    except (NotPublicError, ValueError):
        # Whatever named this address or these keys, it was no browser that can be reached.
        answer = ServiceAnswer(410)
    row = PushSubscription.objects.filter(pk=device.pk)
    if answer.is_gone:
        row.delete()
    elif answer.is_taken:
        write_down(partial(row.update, used_at=now, sent_key=message.key, failing_since=None, rest_until=None))
    else:
        logger.warning("A push service answered %s to a notice; it is tried again.", answer.status or "nothing")
        row.update(failing_since=device.failing_since or now, rest_until=now + answer.rest)
    return answer


def _hand_over(device: PushSubscription, message: Message, user: User, now: datetime) -> ServiceAnswer:
    left = message.until - now if message.until else PUSH_KEPT
    body = encrypt(payload(message, user, device.pk), from_base64(device.p256dh), from_base64(device.auth))
    headers = {
        "Authorization": authorization(device.endpoint, now),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(int(max(timedelta(), min(left, PUSH_KEPT)).total_seconds())),
        # Of several about one game the device gets the last one only.
        "Topic": to_base64(hashlib.sha256(message.path.encode()).digest())[:32],
        "Urgency": "high" if left < URGENT_WITHIN else "normal",
    }
    return hand_over(device.endpoint, body, headers, now=now)


def payload(message: Message, user: User, device_id: int) -> bytes:
    """Return what the site's service worker (static/push/worker.js) reads: JSON, in words of the reader.

    A notice takes the place of an earlier one with the same `tag`; `key` is that of the message. `until`, in
    milliseconds, is what "{time}" stands for in `text`: the device writes moments in its own time zone. `waiting` is
    how many games wait for the person. `image` is where this device finds the board, empty where there is none to show:
    it is drawn when the device asks.
    """
    said = {
        "key": message.key,
        "title": message.subject,
        "text": message.short,
        "until": int(message.until.timestamp() * 1000) if message.until else 0,
        "path": message.path,
        "tag": message.path,
        "open": gettext("Open"),
        "language": get_language(),
        "icon": static("site/icons/icon-192.png"),
        "image": board_path(device_id, message.pictured) if message.pictured else "",
        "waiting": count_turns(user),
    }
    return json.dumps(said, ensure_ascii=False).encode()
