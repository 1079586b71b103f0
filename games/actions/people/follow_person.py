"""Keep somebody in sight: their name stands on one's own page of people."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base import apart, children
from games.errors import InvitationRefused
from games.models import FollowedPerson
from games.table.moves import moment
from games.table.people import relations


@transaction.atomic
def follow_person(user: User, username: str, *, now: datetime | None = None) -> User:
    """Follow this player as the user; return the other, who is not notified. Twice is once.

    Those whom the other has blocked may follow, which shows them nothing more: a refusal would tell them.

    Raises:
        NotFound: there is no player of this name.
        BadRequest: it is the user, or a bot of theirs.
        NotSeated: one of them is a child (`child`).
        InvitationRefused: the user has blocked the other.
        TooMany: the user follows as many as one may.

    """
    other = relations.other_person(user, username)
    person = relations.lock_people(user, other)
    children.check_grown_up(person, other)
    if apart.has_blocked(person, other):
        sentence = _("You have blocked %(name)s. Unblock them on their page to follow them.") % {"name": other.username}
        raise InvitationRefused(sentence, code="not-followed")
    relations.check_number(FollowedPerson, person, other)
    FollowedPerson.objects.get_or_create(person=person, other=other, defaults={"made_at": moment(now)})
    return other
