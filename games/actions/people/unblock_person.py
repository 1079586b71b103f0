"""Meet a person again that one had blocked."""

from django.db import transaction

from accounts.models import User
from games.models import BlockedPerson
from games.table.people import relations


@transaction.atomic
def unblock_person(user: User, username: str) -> User:
    """Unblock this player for the user; return the other, who may have blocked the user too. Twice is once.

    Raises:
        NotFound: there is no player of this name.

    """
    other = relations.player_named(username, user)
    person = relations.lock_people(user, other)
    BlockedPerson.objects.filter(person=person, other=other).delete()
    relations.note_apart(person, other)
    return other
