"""The only doors from a person to a group: its members see it, and who holds its link may join.

For everybody else it does not exist: the answer is the same as for no group at all. A lock of a group is taken after
those of people, and before those of games.
"""

from django.utils.translation import gettext_lazy as _

from accounts import names
from accounts.models import User
from games.base.access import SLUG, Viewer
from games.base.terms import MAX_NAME, leads_elsewhere
from games.base.text import is_plain
from games.errors import BadRequest, NotFound, NotSeated
from games.models import Group, GroupRole, Membership

NO_GROUP = _("This group does not exist, or only its members can see it. The link may be old or mistyped.")
#: How many groups a person may belong to, and how many members a group may have.
MAX_GROUPS, MAX_MEMBERS = 20, 200


def membership_of(user: Viewer, slug: str) -> Membership:
    """Return the person's place in the group, with the group, its owner and its channel. One query.

    Raises:
        NotFound: there is no such group, or the person is no member.

    """
    rows = Membership.objects.select_related("group__owner", "group__channel").filter(group__slug=slug, person=user.pk)
    found = rows.first() if user.pk is not None and SLUG.fullmatch(slug) else None
    if found is None:
        raise NotFound(NO_GROUP)
    return found


def membership_to_change(person: User, slug: str) -> Membership:
    """Return the person's place in the group, which is locked until the transaction ends. Two queries.

    Raises:
        NotFound: there is no such group, or the person is no member.

    """
    # Games that point at it may be written meanwhile; its link, a key of the row, is renewed after they are locked.
    locked = Group.objects.select_for_update(no_key=True).filter(slug=slug) if SLUG.fullmatch(slug) else ()
    if not list(locked):
        raise NotFound(NO_GROUP)
    return membership_of(person, slug)


def group_of_link(token: str) -> Group:
    """Return the group that the link with this secret leads to, with its owner. One query.

    Raises:
        NotFound: there is none, or not any more.

    """
    is_token = 0 < len(token) <= 32 and token.isascii() and token.isprintable()
    groups = Group.objects.select_related("owner").filter(invite_token=token, owner__isnull=False)
    found = groups.first() if is_token else None
    if found is None:
        raise NotFound(NO_GROUP)
    return found


def named_group_of_link(token: str) -> tuple[Group, User]:
    """Return the group that the link with this secret leads to, which has a name of its own, and its owner. One query.

    Raises:
        NotFound: there is none, or not any more.
        BadRequest: it is called after its owner (`no-name`).

    """
    group = group_of_link(token)
    if not group.name or group.owner is None:
        raise BadRequest(_("This group is named after its owner. Report the player instead."), code="no-name")
    return group, group.owner


def check_keeper(own: Membership) -> None:
    """Refuse whoever neither owns nor keeps the group.

    Raises: NotSeated (`not-keeper`).
    """
    if own.role == GroupRole.MEMBER:
        raise NotSeated(_("Only the owner and the keepers of this group can do that."), code="not-keeper")


def check_owner(own: Membership) -> None:
    """Refuse whoever does not own the group.

    Raises: NotSeated (`not-owner`).
    """
    if own.role != GroupRole.OWNER:
        raise NotSeated(_("Only the owner of this group can do that."), code="not-owner")


def check_group_name(name: str) -> None:
    """Refuse a name that a group cannot have; it may have none.

    Raises:
        BadRequest: `field` is name.

    """
    if len(name) > MAX_NAME:
        raise BadRequest(_("The name of a group can have at most 40 characters."), field="name")
    if not is_plain(name):
        raise BadRequest(_("The name of a group must be one line of plain text."), field="name")
    if leads_elsewhere(name):
        sentence = _("The name of a group cannot contain an address. Leave it out, and put a space after a full stop.")
        raise BadRequest(sentence, field="name", code="name-address")
    if names.is_reserved(name):
        raise BadRequest(_("This name is reserved. Choose another one."), field="name", code="name-reserved")
    if names.is_insult(name):
        raise BadRequest(_("This name may insult others. Choose another one."), field="name", code="name-insult")
