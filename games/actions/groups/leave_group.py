"""Leave a group."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.base import counters
from games.base.groups import membership_to_change
from games.models import Group
from games.table import seats
from games.table.groups import membership
from games.table.moves import moment


@transaction.atomic
def leave_group(user: User, slug: str, *, now: datetime | None = None) -> Group:
    """Take the user out of a group, and from its tables that wait; those that they have opened are cancelled.

    What an owner leaves passes to the keeper, else the member, who has belonged to it for longest; without any the
    group ends. Games that have started go on.

    Raises:
        NotFound: there is no such group, or the user is no member.

    """
    person = seats.lock_person(user)
    own = membership_to_change(person, slug)
    group, at = own.group, moment(now)
    membership.drop_member(own, at)
    with counters.together():
        membership.leave_waiting_tables(group, person, at)
    return group
