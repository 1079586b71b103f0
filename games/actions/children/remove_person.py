"""Remove a person from those a child may play with."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.base import counters
from games.models import AllowedPerson
from games.table.moves import moment
from games.table.people import parting, relations


@transaction.atomic
def remove_person(guardian: User, child: int, other: int, *, now: datetime | None = None) -> None:
    """Remove the person of the other key from those the guardian's child may meet, or refuse what the child asked.

    Twice is once. At tables that wait the two part, and from that of a third it is the person who goes. Games that have
    started go on, and nothing is said there any more (`games.base.talk`). The person is told nothing.

    Raises:
        NotFound: there is no such child of this guardian, or no such person.

    """
    mine, person = relations.lock_child(guardian, child, relations.person_of(other))
    pairs = AllowedPerson.objects.filter(child=mine, other=person)
    if person.guardian_id == guardian.pk:
        pairs = pairs | AllowedPerson.objects.filter(child=person, other=mine)
    if not pairs.delete()[0]:
        return
    ours, theirs = frozenset({mine.pk}), frozenset({person.pk})
    with counters.together():
        parting.part_before_the_start(ours, theirs, moment(now), theirs_go=True)
