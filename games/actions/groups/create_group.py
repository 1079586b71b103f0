"""Make a group."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base.groups import check_group_name
from games.base.talk import check_may_write
from games.errors import NotSeated
from games.models import Group
from games.table import seats
from games.table.groups import membership
from games.table.moves import moment
from games.table.opening import TAPPED_TWICE


@transaction.atomic
def create_group(user: User, name: str = "", *, now: datetime | None = None) -> Group:
    """Return a new group that the user owns; without a name it is called after them.

    Raises:
        BadRequest: the name cannot be one (`field` is name).
        NotSeated: the user is a guest (`guest-group`), a bot account (`bot-group`), or may write nothing (`silenced`).
        TooMany: the user belongs to as many groups as one may.

    """
    name = name.strip()
    check_group_name(name)
    person, at = seats.lock_person(user), moment(now)
    if person.is_guest:
        sentence = _("Guests cannot make groups. Save your games with a name and a password first.")
        raise NotSeated(sentence, code="guest-group")
    membership.check_human(person)
    check_may_write(person, name, at)
    again = Group.objects.filter(owner=person, name=name, made_at__gt=at - TAPPED_TWICE).first()
    if again is not None:
        return again
    membership.check_groups(person)
    group = Group.objects.create(owner=person, name=name, made_at=at)
    membership.add_member(group, person, at)
    return group
