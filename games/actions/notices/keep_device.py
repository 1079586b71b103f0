"""Send a person notices on a device from now on."""

import base64
import binascii
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.errors import BadRequest
from games.models import PushSubscription
from games.models.notices.endpoint import is_endpoint

#: At most this many devices of a person are sent notices; the one that was switched on first makes room.
DEVICES = 10

#: What a browser's key and its secret are (RFC 8291): a point of P-256, not compressed, and 16 bytes.
POINT, SECRET = 65, 16

NO_SERVICE = _("This site cannot send to your browser's push service. Try another browser.")


@dataclass(frozen=True)
class Device:
    """What a browser says of itself: the address of its push service, and two keys in base64url."""

    endpoint: str
    p256dh: str
    auth: str


@transaction.atomic
def keep_device(user: User, session_key: str, device: Device, *, language: str, now: datetime) -> None:
    """Send this person notices on this device while the login lasts; asking again changes nothing.

    A device has one login: what was kept for it, or for the login, is replaced. A person who has chosen no language is
    written to in the one in which this was asked.

    Raises:
        BadRequest: the address or a key is not one that can be used.

    """
    check_device(device)
    if language != settings.LANGUAGE_CODE:
        User.objects.filter(pk=user.pk, language="").update(language=language)
    mine = PushSubscription.objects.filter(user=user, session_key=session_key, endpoint=device.endpoint)
    if mine.update(p256dh=device.p256dh, auth=device.auth, failing_since=None, rest_until=None):
        return
    PushSubscription.objects.filter(Q(session_key=session_key) | Q(endpoint=device.endpoint)).delete()
    _insert(user, session_key, device, now)
    latest = PushSubscription.objects.filter(user=user).order_by("-pk").values_list("pk", flat=True)
    PushSubscription.objects.filter(pk__in=list(latest[DEVICES : 2 * DEVICES])).delete()


def _insert(user: User, session_key: str, device: Device, now: datetime) -> None:
    try:
        with transaction.atomic():
            PushSubscription.objects.create(user=user, session_key=session_key, created_at=now, **vars(device))
    except IntegrityError:
        # The same device asked twice at once: the other request has kept it.
        return


def check_device(device: Device) -> None:
    """Refuse an address that no push service has, and keys that nothing can be encrypted for.

    Where the address leads is looked at again when something is sent: a name can lead anywhere by then.

    Raises:
        BadRequest: `field` is endpoint, p256dh or auth.

    """
    if not is_endpoint(device.endpoint):
        raise BadRequest(NO_SERVICE, field="endpoint")
    point, secret = _bytes(device.p256dh), _bytes(device.auth)
    if len(point) != POINT or point[0] != 4:
        raise BadRequest(NO_SERVICE, field="p256dh")
    if len(secret) != SECRET:
        raise BadRequest(NO_SERVICE, field="auth")


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return b""
