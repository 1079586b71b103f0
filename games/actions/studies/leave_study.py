"""Write no more in the study of another."""

from django.db import transaction

from accounts.models import User
from games.base import access
from games.table.people import editing
from games.table.seats import lock_person


@transaction.atomic
def leave_study(user: User, slug: str) -> None:
    """Give back the right to write in a study; what the person wrote stays.

    Raises:
        NotFound: there is no such study for this person, or they do not write in it.

    """
    person = lock_person(user)
    study = access.study_to_view(person, slug)
    editing.forget_editor(study.pk, person)
