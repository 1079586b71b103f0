"""Note that a person has seen their notices."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.models import Notification, StudyEditor, WebhookNotice


def read_notices(user: User, *, now: datetime, slug: str = "") -> int:
    """Mark the person's notices, or those of one game, as read; return how many were not. Five queries if any.

    No version grows: the page that is opened shows it, and the others find out with the next change.
    """
    return _read(user, now, slug) if user.unread_notices else 0


@transaction.atomic
def _read(user: User, now: datetime, slug: str) -> int:
    # The person first, then their notices, as everywhere.
    person = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    unread = Notification.objects.filter(user=person, is_listed=True, read_at=None)
    read = (unread.filter(game__slug=slug) if slug else unread).update(read_at=now)
    if not slug:
        read += StudyEditor.objects.filter(person=person, is_new=True).update(is_new=False)
        read += WebhookNotice.objects.filter(user=person, is_new=True).update(is_new=False)
    user.unread_notices = max(0, person.unread_notices - read) if slug else 0
    if user.unread_notices != person.unread_notices:
        User.objects.filter(pk=person.pk).update(unread_notices=user.unread_notices)
    return read
