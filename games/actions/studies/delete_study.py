"""Throw a study away."""

from django.db import transaction

from accounts.models import User
from games.base import access
from games.models import Study
from games.table.people import editing


@transaction.atomic
def delete_study(user: User, slug: str) -> None:
    """Delete the user's study for good; of its notices none is counted any more.

    Raises:
        NotFound: there is none, or none that this person may see.
        NotSeated: it belongs to another person.

    """
    # People first, as everywhere: the owner too, so that no one is let in meanwhile.
    told = editing.lock_untold(user, Study.objects.filter(owner=user, slug=slug))
    access.study_to_change(user, slug).delete()
    editing.count_notices(told)
