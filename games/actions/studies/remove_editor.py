"""Take from a person the right to write in one's study."""

from django.db import transaction

from accounts.models import User
from games.base import access
from games.table.people import editing


@transaction.atomic
def remove_editor(user: User, slug: str, name: str) -> None:
    """Remove the player of this name from the editors of the user's study; what they wrote stays.

    Raises:
        NotFound: there is no such study for this person, or no such player writes in it.
        NotSeated: the study is another's.

    """
    person, other = editing.lock_pair(user, name)
    study = access.study_to_change(person, slug)
    editing.forget_editor(study.pk, other)
