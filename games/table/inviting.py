"""Who may be invited by whom by name, as things are now."""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base import apart, welcome
from games.errors import InvitationRefused
from games.models import Companion, Player, Status

#: How many invitations of one person may wait for another's answer, and how many of people who never played with them.
MOST_OF_ONE, MOST_OF_STRANGERS = 3, 10


def refusals(creator: User, people: Iterable[User]) -> Mapping[int, InvitationRefused]:
    """Return why this person cannot invite these people now, by their keys: who is not there can be. Five queries.

    The bots of a person invite as that person does, who may invite them as often as they like. Only the creator's row
    is locked: strangers who invite at one instant may be a few more than there may be.
    """
    payer = creator.operator_id or creator.pk
    others = {found.pk: found for found in people if found.operator_id != payer}
    away = apart.apart_from(creator)
    asked = {found.pk for found in others.values() if welcome.depends(found.invited_by)}
    followers = welcome.followers_among(asked, creator)
    open_ones = _open_invitations(others)
    known = _played(others, {creator.pk, *(each.by for each in open_ones)})
    found = {}
    for pk, person in others.items():
        waiting = _waiting_for(pk, open_ones)
        if _has_enough_of(payer, waiting):
            found[pk] = _invited_enough(person)
        elif pk in away and apart.has_blocked(creator, person):
            found[pk] = _has_blocked(person)
        # One sentence for all, so that the blocked are not told.
        elif pk in away or not _wants(person, waiting, known, (pk, creator.pk) in known, pk in followers):
            found[pk] = _not_at_the_moment(person)
    return found


def check_rematch(creator: User, people: Iterable[User]) -> None:
    """Refuse a rematch of which somebody would have more invitations of one person to answer than there may be.

    All else that people have chosen is about others than those with whom they have just played. One query.

    Raises: InvitationRefused.
    """
    payer = creator.operator_id or creator.pk
    others = {found.pk: found for found in people if found.operator_id != payer}
    open_ones = _open_invitations(others) if others else []
    for pk, person in others.items():
        if _has_enough_of(payer, _waiting_for(pk, open_ones)):
            raise _invited_enough(person)


def _has_enough_of(payer: int, waiting: "Collection[_Invitation]") -> bool:
    return sum(each.payer == payer for each in waiting) >= MOST_OF_ONE


def _waiting_for(person: int, invitations: "Collection[_Invitation]") -> "list[_Invitation]":
    return [each for each in invitations if each.to == person]


def _wants(
    person: User,
    waiting: "Collection[_Invitation]",
    known: Collection[tuple[int, int]],
    has_played: bool,
    follows: bool,
) -> bool:
    """Return whether a person lets one invite them with whom they have played, or whom they follow, or neither.

    Not one with whom they never played while so many invitations of such people are waiting.
    """
    of_strangers = sum((each.to, each.by) not in known for each in waiting)
    is_full = not has_played and of_strangers >= MOST_OF_STRANGERS
    return not is_full and welcome.lets(person.invited_by, has_played=has_played, follows=follows)


def _invited_enough(person: User) -> InvitationRefused:
    values = {"name": person.username, "most": MOST_OF_ONE}
    sentence = _("%(name)s has %(most)d invitations from you to answer already. Wait for an answer, or send a link.")
    return InvitationRefused(sentence % values)


def _has_blocked(person: User) -> InvitationRefused:
    sentence = _("You have blocked %(name)s. Unblock them on their page to invite them.")
    return InvitationRefused(sentence % _named_as(person), code="blocked")


def _not_at_the_moment(person: User) -> InvitationRefused:
    sentence = _("%(name)s cannot be invited at the moment. Send a link, or invite again later.")
    return InvitationRefused(sentence % _named_as(person), code="invitations-full")


def _named_as(person: User) -> dict[str, str]:
    return {"name": person.username}


def _played(people: Collection[int], others: Collection[int]) -> set[tuple[int, int]]:
    """Return which of these people have played with which of the others. One query."""
    return {*Companion.objects.filter(user__in=people, other__in=others).values_list("user", "other")}


class _Invitation(NamedTuple):
    """An invitation that waits for an answer: to whom, by whom, and who answers for that one."""

    to: int
    by: int
    payer: int


def _open_invitations(people: Collection[int]) -> list[_Invitation]:
    """Return the invitations that wait for an answer of these people, to rematches too. One query."""
    waiting = Player.objects.filter(invitee__in=people, user=None, is_going=True, game__status=Status.OPEN)
    rows = waiting.values_list("invitee", "game__creator", "game__creator__operator")
    return [_Invitation(to, by, operator or by) for to, by, operator in rows]
