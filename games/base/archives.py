"""Archives as rows: which of them wait to be made, and what earlier tries have left."""

from datetime import datetime, timedelta

from accounts.outbox import Outbox
from games.models import Archive, ArchivePart

#: How long an archive is kept once it is made, and how long after one was asked for there may be another.
KEPT_ARCHIVE = ARCHIVE_EVERY = timedelta(days=1)

#: After so long without a new part whoever makes an archive is taken for dead, and it is begun anew.
SILENCE = timedelta(minutes=10)

#: How many parts one transaction deletes.
PARTS_AT_ONCE = 20

ARCHIVE_OUTBOX = Outbox(Archive, SILENCE, SILENCE)


def is_there(archive: Archive, now: datetime) -> bool:
    """Return whether the file can be fetched: it was made, and its day is not over."""
    return archive.made_at is not None and now < archive.made_at + KEPT_ARCHIVE


def next_at(archive: Archive) -> datetime:
    """Return from when on another archive may be asked for: at once where this one has failed."""
    return archive.asked_at if archive.has_failed else archive.asked_at + ARCHIVE_EVERY


def drop_parts(archive_id: int, attempt: int) -> None:
    """Delete the parts of this try and of earlier ones, some at a time, of an archive that was not made by it."""
    parts = ArchivePart.objects.filter(archive=archive_id, attempt__lte=attempt)
    while keys := list(parts.order_by("attempt", "number").values_list("pk", flat=True)[:PARTS_AT_ONCE]):
        ArchivePart.objects.filter(pk__in=keys).delete()
