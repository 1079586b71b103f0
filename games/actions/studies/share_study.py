"""Share a study with others, or make it private again."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.base import access
from games.base.talk import check_may_write
from games.models import Study
from games.table import records
from games.table.moves import moment
from games.table.studies.sharing import check_words


def share_study(user: User, slug: str, *, is_shared: bool, now: datetime | None = None) -> Study:
    """Return the user's study, now visible to everybody with its link, or only to its owner.

    Raises:
        NotFound: there is none, or none that this person may see.
        NotSeated: it belongs to another person, or the user writes nothing for others for now (`silenced`).
        BadRequest: it has words that may insult others (`insult`).

    """
    if is_shared:
        study = access.study_of_owner(user, slug)
        check_may_write(user, study.title, moment(now))
        check_words(study, records.stored(study.record))
    return _share(user, slug, is_shared=is_shared)


@transaction.atomic
def _share(user: User, slug: str, *, is_shared: bool) -> Study:
    study = access.study_to_change(user, slug)
    study.is_shared = is_shared
    study.save(update_fields=["is_shared"])
    return study
