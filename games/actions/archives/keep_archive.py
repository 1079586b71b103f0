"""Store an archive while it is made: part by part, so that no transaction is long; nothing counts before the end."""

from contextlib import suppress
from datetime import datetime, timedelta

from django.db import DatabaseError, transaction

from accounts.mail.outbox import WrittenMail, post_mail
from accounts.models import User
from games.base.archives import ARCHIVE_OUTBOX, SILENCE, drop_parts
from games.models import Archive, ArchivePart

#: The pause after a try that failed.
FAILED_PAUSE = timedelta(minutes=1)
#: How often it is tried to make one.
MOST_TRIES = 5


class ArchiveLostError(Exception):
    """What was made is wanted no more: another try has begun, or the account was closed."""


@transaction.atomic
def keep_part(archive_id: int, attempt: int, number: int, content: bytes, *, now: datetime) -> None:
    """Store one part of an archive, and that it is being made. Two queries.

    Raises:
        ArchiveLostError: another try has begun, or the account was closed.

    """
    if not ARCHIVE_OUTBOX.find(archive_id, attempt).update(due_at=now + SILENCE):
        raise ArchiveLostError
    ArchivePart.objects.create(archive_id=archive_id, attempt=attempt, number=number, content=content)


@transaction.atomic
def keep_archive(
    archive: Archive, attempt: int, *, parts: int, size: int, mail: WrittenMail | None, now: datetime
) -> None:
    """Mark an archive as made, all of whose parts are stored, and notify its person, by e-mail too if `mail` is given.

    Raises:
        ArchiveLostError: another try has begun, or the account was closed.

    """
    # People first, as everywhere.
    list(User.objects.select_for_update(no_key=True).filter(pk=archive.user_id).values_list("pk"))
    made = {"made_at": now, "parts": parts, "size": size, "due_at": None}
    if not ARCHIVE_OUTBOX.find(archive.pk, attempt).update(**made):
        raise ArchiveLostError
    User.objects.filter(pk=archive.user_id).update(has_archive=True)
    if mail is not None:
        post_mail(mail.message, mail.kind, mail.page)


def discard_attempt(archive_id: int, attempt: int, *, now: datetime) -> None:
    """Discard what a failed try has stored, and schedule the next try soon; after the last one there is none.

    The database itself may have failed: then the next try finds the parts, and nothing is raised here.
    """
    with suppress(DatabaseError):
        drop_parts(archive_id, attempt)
        due_at = None if attempt >= MOST_TRIES else now + FAILED_PAUSE
        ARCHIVE_OUTBOX.find(archive_id, attempt).update(due_at=due_at)
