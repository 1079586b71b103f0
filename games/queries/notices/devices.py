"""The devices that a person has asked to be sent notices on."""

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from accounts.models import Session, User
from games.models import PushSubscription


def live_devices() -> QuerySet[PushSubscription]:
    """Return the subscriptions whose login still holds: the session exists, and is that same person's."""
    login = Session.objects.filter(session_key=OuterRef("session_key"), user_id=OuterRef("user_id"))
    return PushSubscription.objects.filter(Exists(login))


def devices_of(user_id: int) -> QuerySet[PushSubscription]:
    """Return where this person is to be sent notices, in the order in which it was switched on."""
    return live_devices().filter(user=user_id).order_by("pk")


def reader_at(device_id: int) -> User | None:
    """Return the person with whom a device is logged in, None where it is no longer, or the account is closed or
    suspended. One query.
    """
    acting = User.acting(timezone.now(), "user__")
    device = live_devices().filter(acting, pk=device_id, user__is_active=True).select_related("user").first()
    return device.user if device else None


def endpoint_of(user_id: int, session_key: str | None) -> str:
    """Return the address at which this login is sent notices, "" if it is not. One query."""
    found = devices_of(user_id).filter(session_key=session_key or "").values_list("endpoint", flat=True).first()
    return found or ""


def device_number(user_id: int, session_key: str | None) -> int | None:
    """Return the primary key of this login's subscription, None if there is none. One query."""
    return devices_of(user_id).filter(session_key=session_key or "").values_list("pk", flat=True).first()
