"""The steps of what one person decides about another: finding them, locking both, how many there may be."""

from collections.abc import Mapping

from django.db.models import F, Model, Q, Value
from django.db.models.functions import Greatest, NullIf
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base import apart
from games.base.welcome import wanted_by
from games.errors import BadRequest, NotFound, NotSeated, TooMany
from games.models import Audience, BlockedPerson, Player, TalkMessage
from games.queries.people.known import player_called

NO_PLAYER = _("There is no player with this name.")
#: About so many people one person may have decided the same.
LONGEST_LIST = 1000


def player_named(username: str, viewer: User) -> User:
    """Return the player of this name, as far as the viewer may know of them. As many queries as `player_called`.

    Raises:
        NotFound: there is none.

    """
    found = player_called(username, viewer)
    if found is None:
        raise NotFound(NO_PLAYER)
    return found


def other_person(user: User, username: str) -> User:
    """Return the player of this name, who is neither the user nor a bot of the same person's. One query.

    Raises:
        NotFound: there is none.
        BadRequest: it is the user, or a bot of theirs.

    """
    other = player_named(username, user)
    if (user.operator_id or user.pk) == (other.operator_id or other.pk):
        raise BadRequest(_("That is you, or a bot of yours. Choose another player."), code="oneself")
    return other


def lock_people(user: User, other: User) -> User:
    """Return the user's row, locked with the other's and those of their bots and children, before any game is locked.

    So none of them sits down, or invites, while what is between the two changes.

    Raises:
        NotSeated: the user's account is closed.
        NotFound: the other's is.

    """
    keys = (user.pk, other.pk)
    rows = User.objects.select_for_update(no_key=True).filter(is_active=True)
    found = {
        each.pk: each
        for each in rows.filter(Q(pk__in=keys) | Q(operator__in=keys) | Q(guardian__in=keys)).order_by("pk")
    }
    if other.pk not in found:
        raise NotFound(NO_PLAYER)
    if user.pk not in found:
        raise NotSeated(_("This account is closed."), code="account-closed")
    if found[user.pk].is_suspended:
        raise NotSeated(_("This account is suspended."), code="suspended")
    return found[user.pk]


def person_of(pk: int) -> User:
    """Return the person of that key whose account is open. One query.

    Raises: NotFound.
    """
    found = User.objects.filter(pk=pk, is_active=True).first()
    if found is None:
        raise NotFound(NO_PLAYER)
    return found


def lock_child(guardian: User, child: int, other: User) -> tuple[User, User]:
    """Return the guardian's child of that key and the other person, both locked, before any game is locked.

    Raises: NotFound where there is no such child of this guardian, or where the other's account is closed.
    """
    rows = User.objects.select_for_update(no_key=True).filter(is_active=True)
    found = {each.pk: each for each in rows.filter(pk__in=(child, other.pk)).order_by("pk")}
    if other.pk not in found or child not in found or found[child].guardian_id != guardian.pk:
        raise NotFound(NO_PLAYER)
    return found[child], found[other.pk]


def lock_asking(child: User, other: User | None) -> tuple[User, User | None]:
    """Return a child and the person for whom it asks, both locked as `lock_child` does; None for one who has closed.

    Raises:
        NotSeated: the child's account is closed, or suspended.

    """
    keys = {child.pk} if other is None else {child.pk, other.pk}
    rows = User.objects.select_for_update(no_key=True).filter(is_active=True)
    found = {each.pk: each for each in rows.filter(pk__in=keys).order_by("pk")}
    if child.pk not in found:
        raise NotSeated(_("This account is closed."), code="account-closed")
    if found[child.pk].is_suspended:
        raise NotSeated(_("This account is suspended."), code="suspended")
    return found[child.pk], found.get(other.pk) if other is not None else None


def check_number(rows: type[Model], person: User, other: User) -> None:
    """Refuse one more row of this person where there are as many as there may be. One query.

    Raises: TooMany.
    """
    if rows._default_manager.filter(person=person).exclude(other=other).count() >= LONGEST_LIST:
        raise TooMany(_("Your list has 1,000 people. Take one of them off it first."), retry_after=3600)


def unread_lines(reader: User, other: User) -> Mapping[int, int]:
    """Return how many lines of the other and their bots this person has not read, by the key of the seat.

    As it is before the other is muted or blocked. A query, and one or two a seat with unread lines.
    """
    found = {}
    for seat in Player.objects.filter(user=reader, unread_messages__isnull=False):
        said = TalkMessage.objects.filter(game=seat.game_id, audience=Audience.PLAYERS).exclude(author=reader)
        latest = wanted_by(reader, apart.heard_by(reader, said)).order_by("-pk")[: seat.unread_messages]
        authors = latest.values_list("author", "author__operator")
        found[seat.pk] = sum(other.pk in pair for pair in authors)
    return found


def unwanted_lines(reader: User, before: User) -> Mapping[int, int]:
    """Return how many unread lines this person does not want to read any more, by the key of the seat.

    `before` is the same person with the choice of before. A query, and two or three a seat with unread lines.
    """
    found = {}
    for seat in Player.objects.filter(user=reader, unread_messages__isnull=False):
        said = TalkMessage.objects.filter(game=seat.game_id, audience=Audience.PLAYERS).exclude(author=reader)
        heard = apart.heard_by(reader, said)
        keys = list(wanted_by(before, heard).order_by("-pk").values_list("pk", flat=True)[: seat.unread_messages])
        found[seat.pk] = len(keys) - wanted_by(reader, heard.filter(pk__in=keys)).count()
    return {seat: number for seat, number in found.items() if number}


def forget_unread(lines: Mapping[int, int]) -> None:
    """Count so many lines less as unread at these seats. No game is locked after this."""
    for seat, number in sorted(lines.items()):
        left = Greatest(F("unread_messages") - number, Value(0))
        Player.objects.filter(pk=seat).update(unread_messages=NullIf(left, Value(0)))


def note_apart(*people: User) -> None:
    """Write into the rows of these people, which are locked, whether any block concerns them. Two queries for each."""
    for each in people:
        blocks = BlockedPerson.objects.filter(Q(person=each) | Q(other=each))
        User.objects.filter(pk=each.pk).update(is_kept_apart=blocks.exists())
