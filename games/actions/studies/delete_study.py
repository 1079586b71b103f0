"""Throw a study away."""

from django.db import transaction

from accounts.models import User
from games.base import access


@transaction.atomic
def delete_study(user: User, slug: str) -> None:
    """Delete the user's study for good.

    Raises:
        NotFound: there is none, or none that this person may see.
        NotSeated: it belongs to another person.

    """
    access.study_to_change(user, slug).delete()
