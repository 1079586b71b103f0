"""Forget whom a child was allowed to meet, once it is a child no more."""

from accounts.models import User
from games.models import AllowedPerson


def forget_people(person: User) -> None:
    """Delete the person's own list; on those of other children they stay. In the caller's transaction."""
    AllowedPerson.objects.filter(child=person).delete()
