"""Send a person no more notices on a device."""

from django.db import transaction

from accounts.models import User
from games.models import PushSubscription
from games.queries.notices.devices import live_devices


@transaction.atomic
def forget_device(user: User, session_key: str | None) -> bool:
    """Send nothing more to the device of this login; return whether something was sent to it."""
    return bool(PushSubscription.objects.filter(user=user, session_key=session_key or "").delete()[0])


@transaction.atomic
def forget_ended_logins(user_id: int) -> None:
    """Forget the devices of a person whose logins have ended."""
    kept = live_devices().filter(user=user_id).values("pk")
    PushSubscription.objects.filter(user=user_id).exclude(pk__in=kept).delete()


@transaction.atomic
def follow_login(before: str, after: str) -> None:
    """Go on sending to the device of a login whose session has got another key."""
    PushSubscription.objects.filter(session_key=before).update(session_key=after)
