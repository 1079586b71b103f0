"""The steps of letting people write in a study: whom its owner may let in, both locked before the study."""

from collections.abc import Collection

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base.apart import apart_from
from games.base.welcome import lets
from games.errors import InvitationRefused, NotFound, NotSeated
from games.models import Companion, FollowedPerson, Study, StudyEditor
from games.queries.notices.notices import unread_number
from games.table.people.relations import NO_PLAYER

#: How many people write in a study beside its owner.
MAX_EDITORS = 10

NOT_NOW = _(
    "You can let people you follow or have played with write in your study, if they let you invite them. "
    "%(name)s is not one of them."
)
NO_GUEST = _("Save your games with a name and a password first. Then you can let others write in your studies.")
NO_EDITOR = _("This person does not write in the study.")


def check_may_add(owner: User, other: User) -> None:
    """Refuse to let a person write in a study of the owner's. Three queries at most, and those of `apart_from`.

    All reasons of the other's are one: a refusal tells nothing about them.

    Raises:
        NotSeated: the owner is a guest (`guest`).
        InvitationRefused: it is none whom the owner follows or has played with, a guest, a child or a bot, or one who
            is not invited by the owner (`not-let-in`).

    """
    if owner.is_guest:
        raise NotSeated(NO_GUEST, code="guest")
    follows = FollowedPerson.objects.filter(person=owner, other=other).exists()
    has_played = Companion.objects.filter(user=owner, other=other, games__gt=0).exists()
    is_followed = FollowedPerson.objects.filter(person=other, other=owner).exists()
    is_person = not (other.is_guest or other.is_bot or other.is_child or owner.is_child)
    is_wanted = lets(other.invited_by, has_played=has_played, follows=is_followed)
    if not (is_person and (follows or has_played) and is_wanted) or other.pk in apart_from(owner):
        raise InvitationRefused(NOT_NOW % {"name": other.shown_name}, code="not-let-in", field="name")


def lock_pair(user: User, username: str) -> tuple[User, User]:
    """Return a person and another of this name, both locked in one order before any study is.

    Raises:
        NotFound: there is no such person.
        NotSeated: the account is closed, or suspended.

    """
    named = User.objects.filter(username=username, is_active=True).values_list("pk", flat=True).first()
    rows = User.objects.select_for_update(no_key=True).filter(pk__in=(user.pk, named or user.pk), is_active=True)
    found = {each.pk: each for each in rows.order_by("pk")}
    if user.pk not in found:
        raise NotSeated(_("This account is closed."), code="account-closed")
    if found[user.pk].is_suspended:
        raise NotSeated(_("This account is suspended."), code="suspended")
    if named not in found:
        raise NotFound(NO_PLAYER)
    return found[user.pk], found[named]


def forget_editor(study: int, person: User) -> None:
    """Take away that a person, who is locked, writes in a study, and the notice that they may.

    Raises: NotFound.
    """
    gone, _kinds = StudyEditor.objects.filter(study=study, person=person).delete()
    if not gone:
        raise NotFound(NO_EDITOR)
    count_notices([person.pk])


def lock_untold(owner: User, studies: QuerySet[Study]) -> list[int]:
    """Lock the owner of studies, before any of these is, with all who have not read yet that they may write in one;
    return the keys of those. One query.
    """
    untold = StudyEditor.objects.filter(study__in=studies.values("pk"), is_new=True).values("person")
    rows = User.objects.select_for_update(no_key=True).filter(Q(pk=owner.pk) | Q(pk__in=untold)).order_by("pk")
    return [pk for pk in rows.values_list("pk", flat=True) if pk != owner.pk]


def count_notices(people: Collection[int]) -> None:
    """Count anew what these people, who are locked, have not read. One query, none for no one."""
    if people:
        User.objects.filter(pk__in=people, unread_notices__gt=0).update(unread_notices=unread_number())
