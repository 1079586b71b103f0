"""Delete archives whose day is over."""

from datetime import datetime

from django.db import transaction
from django.db.models import Max

from accounts.models import User
from games.base.archives import ARCHIVE_EVERY, drop_parts, is_there
from games.models import Archive, ArchivePart


def drop_archives(now: datetime, most: int) -> int:
    """Delete archives whose day is over, at most so many, those first that were asked for first; return how many.

    What is being made waits until it is done or has failed.
    """
    old = Archive.objects.filter(asked_at__lte=now - ARCHIVE_EVERY).order_by("asked_at")[:most]
    return sum(_drop(archive) for archive in old if archive.due_at is None and not is_there(archive, now))


def _drop(archive: Archive) -> bool:
    """Delete an archive, its parts before it, without a long transaction; return whether there still was one."""
    last = ArchivePart.objects.filter(archive=archive).aggregate(last=Max("attempt"))["last"]
    with transaction.atomic():
        # People first, as everywhere. From here on nobody fetches the file.
        list(User.objects.select_for_update(no_key=True).filter(pk=archive.user_id).values_list("pk"))
        same = Archive.objects.filter(pk=archive.pk, made_at=archive.made_at, due_at=None)
        if not same.update(made_at=None, parts=0):
            return False
        User.objects.filter(pk=archive.user_id, has_archive=True).update(has_archive=False)
    drop_parts(archive.pk, last or 0)
    Archive.objects.filter(pk=archive.pk, made_at=None, due_at=None).delete()
    return True
