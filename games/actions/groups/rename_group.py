"""Give a group another name."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.base.groups import check_group_name, check_keeper, membership_to_change
from games.base.talk import check_may_write
from games.models import Group
from games.table import seats
from games.table.moves import moment


@transaction.atomic
def rename_group(user: User, slug: str, name: str, *, now: datetime | None = None) -> Group:
    """Give the group this name; without one it is called after its owner.

    Raises:
        BadRequest: the name cannot be one (`field` is name).
        NotFound: there is no such group, or the user is no member.
        NotSeated: the user is neither owner nor keeper (`not-keeper`), or may write nothing (`silenced`).

    """
    name = name.strip()
    check_group_name(name)
    person = seats.lock_person(user)
    own = membership_to_change(person, slug)
    check_keeper(own)
    check_may_write(person, name, moment(now))
    own.group.name = name
    own.group.save(update_fields=["name"])
    return own.group
