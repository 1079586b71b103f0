"""The page on which people take along what is theirs: how far the file is, and the buttons that are of use now."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from accounts.models import User
from games.base.archives import KEPT_ARCHIVE, is_there, next_at
from games.queries.archives.made import archive_of


@dataclass(frozen=True)
class OwnDataPage:
    """How far a person's archive is. `kept_until` and `next_at` are in words, empty where there is nothing to say.

    `is_being_made` while a job is at it, `is_there` once it can be fetched; `size` is in bytes.
    """

    is_guest: bool = False
    is_being_made: bool = False
    is_there: bool = False
    has_failed: bool = False
    may_ask: bool = True
    size: int = 0
    made: str = ""
    kept_until: str = ""
    next_at: str = ""


def own_data_page(user: User, now: datetime) -> OwnDataPage:
    """Return the page of a person. One query."""
    archive = archive_of(user.pk)
    if archive is None:
        return OwnDataPage(is_guest=user.is_guest)
    is_made, may_ask = is_there(archive, now), now >= next_at(archive)
    return OwnDataPage(
        is_guest=user.is_guest,
        is_being_made=archive.due_at is not None,
        is_there=is_made,
        has_failed=archive.has_failed and may_ask and now < archive.asked_at + KEPT_ARCHIVE,
        may_ask=may_ask and archive.due_at is None,
        size=archive.size,
        made=_moment(archive.made_at) if is_made else "",
        kept_until=_moment(archive.made_at and archive.made_at + KEPT_ARCHIVE) if is_made else "",
        next_at="" if may_ask else _moment(next_at(archive)),
    )


def file_name(made_at: datetime) -> str:
    """Return what the file is called."""
    return f"block-you-{timezone.localtime(made_at).date().isoformat()}.zip"


def _moment(moment: datetime | None) -> str:
    if moment is None:
        return ""
    here = timezone.localtime(moment)
    values = {"day": date_format(here, "DATE_FORMAT"), "time": date_format(here, "TIME_FORMAT")}
    return gettext("%(day)s at %(time)s") % values
