"""Let a group have no standing table any more."""

from django.db import transaction

from accounts.models import User
from games.base.groups import check_keeper, membership_to_change
from games.models import StandingTable
from games.table import seats


@transaction.atomic
def drop_standing_table(user: User, slug: str) -> None:
    """Let no further table open by itself; the game that there is goes on. Twice is once.

    Raises:
        NotFound: there is no such group, or the user is no member.
        NotSeated: the user is neither owner nor keeper (`not-keeper`).

    """
    own = membership_to_change(seats.lock_person(user), slug)
    check_keeper(own)
    StandingTable.objects.filter(group=own.group).delete()
