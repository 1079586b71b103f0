"""Give a person's calendar and feed a secret address, a new one each time, or take it away."""

from datetime import datetime

from django.conf import settings
from django.db import transaction

from accounts.models import User
from games.models import Feed
from games.models.feed import new_secret


@transaction.atomic
def renew_feed(user: User, *, language: str, now: datetime) -> str:
    """Give the feeds a new address and return its secret; the old address leads nowhere from now on.

    A person who has chosen no language reads them in the one in which this was asked.
    """
    if language != settings.LANGUAGE_CODE:
        User.objects.filter(pk=user.pk, language="").update(language=language)
    feed, _is_new = Feed.objects.update_or_create(user=user, defaults={"secret": new_secret(), "created_at": now})
    return feed.secret


def forget_feed(user_id: int) -> None:
    """Delete the address of a person's feeds. Without one nothing changes."""
    Feed.objects.filter(user=user_id).delete()
