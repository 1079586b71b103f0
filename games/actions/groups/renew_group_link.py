"""Give a group another link: the one before leads nowhere."""

from django.db import transaction

from accounts.models import User
from games.base.groups import check_keeper, membership_to_change
from games.models import Group
from games.table import seats
from games.table.groups import membership


@transaction.atomic
def renew_group_link(user: User, slug: str) -> Group:
    """Give the group a link with another secret.

    Raises:
        NotFound: there is no such group, or the user is no member.
        NotSeated: the user is neither owner nor keeper (`not-keeper`).

    """
    own = membership_to_change(seats.lock_person(user), slug)
    check_keeper(own)
    membership.renew_link(own.group)
    return own.group
