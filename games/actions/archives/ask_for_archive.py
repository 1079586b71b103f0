"""Ask for all that is one's own, as one file."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base.archives import next_at
from games.errors import TooMany
from games.events import ArchiveAsked, publish
from games.models import Archive
from games.table import seats
from games.table.moves import moment

ENOUGH = _("You can ask for your data once a day. Ask again tomorrow.")


@transaction.atomic
def ask_for_archive(user: User, *, language: str, now: datetime | None = None) -> Archive:
    """Ask a job to make the person's archive, in place of an older one. What people read in it is in that language.

    Those who are suspended take their data along too.

    Raises:
        TooMany: there is one of the same day.
        NotSeated: the account is closed.

    """
    at, person = moment(now), seats.lock_person(user, may_be_suspended=True)
    known = Archive.objects.select_for_update(no_key=True).filter(user=person).first()
    if known is not None:
        if at < next_at(known):
            raise TooMany(ENOUGH, retry_after=max(1, int((next_at(known) - at).total_seconds())))
        known.delete()
    if person.has_archive:
        User.objects.filter(pk=person.pk).update(has_archive=False)
    archive = Archive.objects.create(user=person, language=language, asked_at=at, due_at=at)
    publish(ArchiveAsked(archive_id=archive.pk))
    return archive
