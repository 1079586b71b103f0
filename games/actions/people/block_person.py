"""Block a person."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base import apart, children, counters
from games.errors import BadRequest
from games.models import BlockedPerson, FollowedPerson
from games.table.moves import moment
from games.table.people import parting, relations

OWN_CHILD = _("A guardian and a child cannot block each other. You can take people off the child's list.")


@transaction.atomic
def block_person(user: User, username: str, *, now: datetime | None = None) -> User:
    """Keep these two apart from now on, with their bots and children; return the other. Twice is once.

    Running games go on. At tables that wait both ways part: from the user's own the other is taken away, from all
    others the user goes. Neither follows the other any more, or writes in a
    study of the other's. The other is told nothing, and no notice of one waits for
    the other.

    Raises:
        NotFound: there is no player of this name.
        BadRequest: it is the user, or a bot of theirs; or one of the two is the other's guardian (`own-child`).
        TooMany: the user has blocked as many as one may.

    """
    other = relations.other_person(user, username)
    if children.is_of_family(user, other):
        raise BadRequest(OWN_CHILD, code="own-child")
    person = relations.lock_people(user, other)
    relations.check_number(BlockedPerson, person, other)
    unread = {**relations.unread_lines(person, other), **relations.unread_lines(other, person)}
    BlockedPerson.objects.get_or_create(person=person, other=other, defaults={"made_at": moment(now)})
    User.objects.filter(pk__in=(person.pk, other.pk)).update(is_kept_apart=True)
    ours, theirs = (apart.with_all_answered_for(frozenset({each.pk})) for each in (person, other))
    with counters.together():
        parting.part_before_the_start(ours, theirs, moment(now))
        for followers, followed in ((ours, theirs), (theirs, ours)):
            FollowedPerson.objects.filter(person__in=followers, other__in=followed).delete()
        counters.touch({*ours, *theirs})
    relations.forget_unread(unread)
    return other
