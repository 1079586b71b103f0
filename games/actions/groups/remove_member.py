"""Take somebody out of a group."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base import counters
from games.base.groups import check_keeper, check_owner, membership_to_change
from games.errors import BadRequest
from games.models import Group
from games.table.groups import membership
from games.table.moves import moment
from games.table.notices.channels import forget_answers
from games.table.people import relations


@transaction.atomic
def remove_member(user: User, slug: str, username: str, *, now: datetime | None = None) -> Group:
    """Take this member out of a group, and from its tables that wait, with their bots.

    Its link and those of these tables are renewed, so that they stay out. Games that have started go on. The member is
    not notified.

    Raises:
        NotFound: there is no such group, the user is no member, or the other is none.
        BadRequest: it is the user (`oneself`).
        NotSeated: the user is neither owner nor keeper (`not-keeper`), or the other keeps the group (`not-owner`).

    """
    other = relations.player_named(username, user)
    if other.pk == user.pk:
        raise BadRequest(_("That is you. Leave the group instead."), code="oneself")
    person = relations.lock_people(user, other)
    own = membership_to_change(person, slug)
    check_keeper(own)
    theirs = membership.member_in(own.group, other)
    if theirs.is_keeper or own.group.owner_id == other.pk:
        check_owner(own)
    theirs.delete()
    forget_answers(own.group, other.pk)
    with counters.together():
        membership.shut_waiting_tables(own.group, other, moment(now))
        membership.renew_link(own.group)
    return own.group
