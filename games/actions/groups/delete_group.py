"""End a group."""

from django.db import transaction

from accounts.models import User
from games.base.groups import check_owner, membership_to_change
from games.table import seats
from games.table.groups import membership


@transaction.atomic
def delete_group(user: User, slug: str) -> None:
    """End the group: nobody belongs to it any more, and no link leads to it. Its games stay with their players.

    Raises:
        NotFound: there is no such group, or the user is no member.
        NotSeated: the user does not own it (`not-owner`).

    """
    own = membership_to_change(seats.lock_person(user), slug)
    check_owner(own)
    membership.end_group(own.group)
