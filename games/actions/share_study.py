"""Let others look at a study, or no longer."""

from django.db import transaction

from accounts.models import User
from games import access
from games.models import Study


@transaction.atomic
def share_study(user: User, slug: str, *, is_shared: bool) -> Study:
    """Return the user's study, which whoever has its link may now look at, or only its owner.

    Raises:
        NotFound: there is none, or none that this person may see.
        NotSeated: it is somebody else's.

    """
    study = access.study_to_change(user, slug)
    study.is_shared = is_shared
    study.save(update_fields=["is_shared"])
    return study
