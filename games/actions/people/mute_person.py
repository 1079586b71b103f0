"""Do not read what a person writes."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.models import MutedPerson
from games.table.moves import moment
from games.table.people import relations


@transaction.atomic
def mute_person(user: User, username: str, *, now: datetime | None = None) -> User:
    """Show the user nothing that this person or a bot of theirs writes; return the other. Twice is once.

    All else between them stays as it is, and the other is told nothing.

    Raises:
        NotFound: there is no player of this name.
        BadRequest: it is the user, or a bot of theirs.
        TooMany: the user has muted as many as one may.

    """
    other = relations.other_person(user, username)
    person = relations.lock_people(user, other)
    relations.check_number(MutedPerson, person, other)
    unread = relations.unread_lines(person, other)
    MutedPerson.objects.get_or_create(person=person, other=other, defaults={"made_at": moment(now)})
    relations.forget_unread(unread)
    return other
