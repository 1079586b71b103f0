"""Remove the channel of a group."""

from django.db import transaction

from accounts.models import User
from games.base.groups import check_keeper, membership_to_change
from games.table import seats
from games.table.notices.channels import drop_channel


@transaction.atomic
def remove_group_channel(user: User, slug: str) -> None:
    """Post nothing about the tables of the group any more, those that wait or are played included. Twice is once.

    Raises:
        NotFound: there is no such group, or the user is no member.
        NotSeated: the user is neither owner nor keeper (`not-keeper`).

    """
    own = membership_to_change(seats.lock_person(user), slug)
    check_keeper(own)
    drop_channel(own.group)
