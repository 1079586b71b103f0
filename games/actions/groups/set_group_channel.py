"""Set the channel to which a group's new tables, and how they end, are posted."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.base.groups import check_keeper, membership_to_change
from games.errors import BadRequest
from games.models import GroupChannel
from games.models.notices.endpoint import is_endpoint
from games.table import seats
from games.table.moves import moment
from games.table.notices.channels import NO_ENDPOINT, drop_channel


@transaction.atomic
def set_group_channel(user: User, slug: str, address: str, *, now: datetime | None = None) -> GroupChannel:
    """Set the address to which each table that the group opens from now on is posted, in place of an earlier one.

    Of a table nothing is posted before all who sit there agree: at the table, or once for all their tables in this
    group. Those who have answered for an earlier address are asked again.

    Raises:
        NotFound: there is no such group, or the user is no member.
        NotSeated: the user is neither owner nor keeper (`not-keeper`).
        BadRequest: nothing is sent to such an address (`field` is address).

    """
    person = seats.lock_person(user)
    own = membership_to_change(person, slug)
    check_keeper(own)
    if not is_endpoint(address):
        raise BadRequest(NO_ENDPOINT, field="address")
    drop_channel(own.group)
    return GroupChannel.objects.create(group=own.group, owner=person, address=address, created_at=moment(now))
