"""Allow a child to play with a person."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.errors import BadRequest, TooMany
from games.models import AllowedPerson
from games.table.moves import moment
from games.table.people import relations

#: So many people a child may meet, or have asked for.
MOST_ALLOWED = 200


@transaction.atomic
def allow_person(guardian: User, child: int, username: str, *, now: datetime | None = None) -> User:
    """Allow the guardian's child of that key to meet this person; return the person. Twice is once.

    Two children of one guardian may meet each other then; the child of another guardian waits for that one's word too.

    Raises:
        NotFound: there is no such child of this guardian, or no player of this name.
        BadRequest: it is the child, its guardian, or a guest.
        TooMany: the child may meet as many as there may be.

    """
    other = relations.player_named(username, guardian)
    if other.pk in (child, guardian.pk):
        raise BadRequest(_("The child and you may always play together. Enter another name."), code="oneself")
    if other.is_guest:
        raise BadRequest(_("A guest can be anyone. Only people with an account can be allowed."), code="guest-child")
    mine, other = relations.lock_child(guardian, child, other)
    known = AllowedPerson.objects.filter(child=mine)
    if known.exclude(other=other).count() >= MOST_ALLOWED:
        raise TooMany(_("The child's list has 200 people. Take one of them off it first."), retry_after=3600)
    at = moment(now)
    pairs = [(mine, other)] if other.guardian_id != guardian.pk else [(mine, other), (other, mine)]
    for one, friend in pairs:
        row, _made = AllowedPerson.objects.get_or_create(child=one, other=friend, defaults={"asked_at": at})
        if row.allowed_at is None:
            row.allowed_at = at
            row.save(update_fields=["allowed_at"])
    return other
