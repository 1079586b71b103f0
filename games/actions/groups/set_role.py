"""Say what a member may do in a group."""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base.groups import check_owner, membership_to_change
from games.errors import BadRequest
from games.models import Group, GroupRole
from games.table import seats
from games.table.groups import membership
from games.table.people import relations


@transaction.atomic
def set_role(user: User, slug: str, username: str, role: str) -> Group:
    """Make this member a keeper, a member like others, or the owner in the user's place, who then keeps the group.

    Raises:
        NotFound: there is no such group, the user is no member, or the other is none.
        BadRequest: it is the user (`oneself`), or there is no such role (`field` is role).
        NotSeated: the user does not own the group (`not-owner`), or the group is to be a guest's (`guest-group`).

    """
    if role not in GroupRole.values:
        raise BadRequest(_("Choose from the list what this member may do."), field="role")
    other = relations.player_named(username, user)
    own = membership_to_change(seats.lock_person(user), slug)
    check_owner(own)
    theirs = membership.member_in(own.group, other)
    if theirs.pk == own.pk:
        raise BadRequest(_("You own this group. Choose another member."), code="oneself")
    if role == GroupRole.OWNER:
        membership.check_owns(other)
        own.is_keeper = True
        own.save(update_fields=["is_keeper"])
        membership.pass_on(own.group, theirs)
    theirs.is_keeper = role == GroupRole.KEEPER
    theirs.save(update_fields=["is_keeper"])
    return own.group
