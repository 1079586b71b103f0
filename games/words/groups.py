"""What groups are called, and what their members may do."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.names import is_given
from games.values import GroupRole, Occupant
from games.words import names

ROLES: Mapping[str, str | Promise] = {
    GroupRole.OWNER: _("Owner"),
    GroupRole.KEEPER: _("Keeper"),
    GroupRole.MEMBER: _("Member"),
}


def group_title(name: str, owner: Occupant) -> str:
    """Return what a group is called: by its own name, else after its owner."""
    if name:
        return name
    if is_given(owner.username):
        return gettext("A guest's group")
    return gettext("Group of %(name)s") % {"name": names.person_name(owner)}


def members_line(count: int) -> str:
    """Return how many members there are."""
    return ngettext("%(n)d member", "%(n)d members", count) % {"n": count}
