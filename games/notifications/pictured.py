"""Addresses of boards for notices on devices: each is signed, for one device and one game, and expires."""

from datetime import timedelta

from django.core import signing
from django.urls import reverse

#: For as long as a push service may keep a notice (PUSH_KEPT), its board is found at the address in it.
PICTURED_FOR = timedelta(days=28)

_SALT = "games.notifications.pictured"


def board_path(device_id: int, slug: str) -> str:
    """Return where a device finds the board of a game, as the person with whom it is logged in sees it."""
    return reverse("notice-picture", args=[signing.dumps([device_id, slug], salt=_SALT)])


def read_board_path(signed: str) -> tuple[int, str] | None:
    """Return the device and the slug that were signed; None for what was not, or longer ago than a notice is kept."""
    try:
        device_id, slug = signing.loads(signed, salt=_SALT, max_age=PICTURED_FOR)
    except signing.BadSignature:
        return None
    return device_id, slug
