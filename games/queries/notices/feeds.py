"""Whose calendar and feed are found at which secret address."""

from django.utils import timezone

from accounts.models import User
from games.models import Feed


def feed_secret(user_id: int) -> str:
    """Return the secret in the address of this person's feeds, "" if they have none. One query."""
    return Feed.objects.filter(user=user_id).values_list("secret", flat=True).first() or ""


def feed_reader(secret: str) -> User | None:
    """Return the person whose feeds are at this address, None if no one's are, or they are suspended. One query."""
    acting = User.acting(timezone.now(), "user__")
    feed = Feed.objects.filter(acting, secret=secret, user__is_active=True).select_related("user").first()
    return feed.user if feed else None
