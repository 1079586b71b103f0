"""Join a group by its link."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.base.groups import group_of_link
from games.models import Group, Membership
from games.table import seats
from games.table.groups import membership
from games.table.moves import moment


@transaction.atomic
def join_group(user: User, token: str, *, now: datetime | None = None) -> Group:
    """Make the user a member of the group that the link with this secret leads to. Twice is once.

    Raises:
        NotFound: there is no such group, or not any more.
        NotSeated: the user is a bot account (`bot-group`).
        TooMany: the user belongs to as many groups as one may, or the group is full.

    """
    person = seats.lock_person(user)
    membership.check_human(person)
    membership.lock_group(group_of_link(token).pk)
    # Once more: the link may just have been renewed.
    group = group_of_link(token)
    if not Membership.objects.filter(group=group, person=person).exists():
        membership.check_groups(person)
        membership.add_member(group, person, moment(now))
    return group
