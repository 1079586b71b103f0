"""Follow somebody no longer."""

from django.db import transaction

from accounts.models import User
from games.models import FollowedPerson
from games.table.people import company


@transaction.atomic
def unfollow_person(user: User, username: str) -> User:
    """Let the user follow this player no longer; return the other, who is not notified. Twice is once.

    Raises:
        NotFound: there is no player of this name.

    """
    other = company.player_named(username, user)
    FollowedPerson.objects.filter(person=user, other=other).delete()
    return other
