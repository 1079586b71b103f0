"""What people have written in a study, as one reader is shown it."""

from django.db.models import QuerySet

from accounts.models import User
from games.base.access import Viewer
from games.base.apart import heard_by
from games.models import Study, StudyComment


def comments_of(study: Study, reader: Viewer) -> list[StudyComment]:
    """Return the comments of a study with their authors, the oldest first; those that are hidden too.

    The owner is shown all, as they answer for the study; others not what people write whom they do not hear. One query,
    and those of `apart_from`; none for a study that was never changed.
    """
    if study.edition == 1:
        return []
    return list(_shown(study, reader).order_by("pk"))


def comment_shown(study: Study, reader: Viewer, key: int) -> StudyComment | None:
    """Return the comment of that key with its author, None where this reader is shown no words of such a one.

    As many queries as `comments_of`.
    """
    return _shown(study, reader).filter(pk=key, is_hidden=False).first()


def _shown(study: Study, reader: Viewer) -> QuerySet[StudyComment]:
    rows = StudyComment.objects.filter(study=study).select_related("author")
    is_owner = study.owner_id == reader.pk
    return heard_by(reader, rows) if isinstance(reader, User) and not is_owner else rows
