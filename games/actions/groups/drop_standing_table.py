"""Remove the standing table of a group."""

from django.db import transaction

from accounts.models import User
from games.base.groups import check_keeper, membership_to_change
from games.models import StandingTable
from games.table import seats


@transaction.atomic
def drop_standing_table(user: User, slug: str) -> None:
    """Remove the group's standing table: no further one opens; the current game goes on. Twice is once.

    Raises:
        NotFound: there is no such group, or the user is no member.
        NotSeated: the user is neither owner nor keeper (`not-keeper`).

    """
    own = membership_to_change(seats.lock_person(user), slug)
    check_keeper(own)
    StandingTable.objects.filter(group=own.group).delete()
