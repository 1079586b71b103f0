"""Share a study with others, or make it private again."""

from django.db import transaction

from accounts.models import User
from games.base import access
from games.models import Study


@transaction.atomic
def share_study(user: User, slug: str, *, is_shared: bool) -> Study:
    """Return the user's study, now visible to everybody with its link, or only to its owner.

    Raises:
        NotFound: there is none, or none that this person may see.
        NotSeated: it belongs to another person.

    """
    study = access.study_to_change(user, slug)
    study.is_shared = is_shared
    study.save(update_fields=["is_shared"])
    return study
