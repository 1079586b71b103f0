"""Read again what a person writes."""

from django.db import transaction

from accounts.models import User
from games.models import MutedPerson
from games.table.people import relations


@transaction.atomic
def unmute_person(user: User, username: str) -> User:
    """Show the user again what this person writes, unless one of the two has blocked the other. Twice is once.

    Raises:
        NotFound: there is no player of this name.

    """
    other = relations.player_named(username, user)
    MutedPerson.objects.filter(person=user, other=other).delete()
    return other
