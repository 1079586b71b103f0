"""Who is kept apart: two people of whom one has blocked the other. All doors, lists and outlets ask here.

What holds for a person holds for the bots and the children that they answer for. Running games are no
meeting: they go on.
`tests/reliability/matrix.txt` says of every address whether it asks, or why it need not.
"""

from typing import TypeVar

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import User
from games.models import BlockedPerson, Game, MutedPerson, Player, Reaction, StudyComment, TalkMessage

#: Keys of people, and of bots and children that people answer for.
People = frozenset[int]
NOBODY: People = frozenset()
#: What has an author, whom a reader may not want to hear.
Said = TypeVar("Said", TalkMessage, Reaction, StudyComment)


def apart_from(user: User | AnonymousUser) -> People:
    """Return all who are kept apart from this person or bot, whoever wanted it.

    No query for people who have blocked no one and whom no one has blocked: that stands in their own rows. Two for
    others, for bots and for children.
    """
    if not isinstance(user, User) or not (user.is_kept_apart or user.is_bot or user.is_child):
        return NOBODY
    ours = _with_who_answers(user)
    rows = BlockedPerson.objects.order_by()
    blocked = rows.filter(person__in=ours).values_list("other", flat=True)
    return with_all_answered_for(frozenset(blocked.union(rows.filter(other__in=ours).values_list("person", flat=True))))


def blocked_by(reader: User | AnonymousUser) -> People:
    """Return all whom this person has blocked, and not those who have blocked them.

    It is for lists that everybody sees: who has blocked need not read the name there, and no one else sees a change. As
    many queries as `apart_from`.
    """
    if not isinstance(reader, User) or not (reader.is_kept_apart or reader.is_bot or reader.is_child):
        return NOBODY
    rows = BlockedPerson.objects.filter(person__in=_with_who_answers(reader)).order_by()
    return with_all_answered_for(frozenset(rows.values_list("other", flat=True)))


def is_apart(user: User, person: str) -> Exists:
    """Return the condition that the person at this path is kept apart from this person. No query; people, not bots."""
    either = Q(person=user, other=OuterRef(person)) | Q(person=OuterRef(person), other=user)
    return Exists(BlockedPerson.objects.filter(either))


def with_their_bots(people: People) -> People:
    """Return these people with the bots that they answer for. One query, none for no one."""
    bots = User.objects.filter(operator__in=people).values_list("pk", flat=True) if people else ()
    return people.union(bots)


def with_all_answered_for(people: People) -> People:
    """Return these people with the bots and the children that they answer for. One query, none for no one."""
    if not people:
        return people
    bots = User.objects.filter(operator__in=people).order_by().values_list("pk", flat=True)
    children = User.objects.filter(guardian__in=people).order_by().values_list("pk", flat=True)
    return people.union(bots.union(children, all=True))


def _with_who_answers(person: User) -> set[int]:
    """Return the keys of a person and of who answers for them. No query."""
    return {person.pk, person.operator_id or person.guardian_id or person.pk}


def is_kept_from(game: Game, user: User | AnonymousUser) -> bool:
    """Return whether someone sits at the table, or has opened it, from whom this person is kept apart.

    As many queries as `apart_from` where the players are fetched.
    """
    people = {game.creator_id, *(player.user_id for player in game.players.all())}
    return not people.isdisjoint(apart_from(user))


def games_without(people: People, games: QuerySet[Game]) -> QuerySet[Game]:
    """Return those of the games that none of these people plays, or has opened. No query."""
    if not people:
        return games
    # Asked of one game after the other, in the order of the list, until enough are found.
    seats = Player.objects.filter(game=OuterRef("pk"), user__in=people)
    return games.exclude(creator__in=people).filter(~Exists(seats))


def has_blocked(person: User, other: User) -> bool:
    """Return whether the one has blocked the other: themselves, or who answers for them. One query."""
    ours, theirs = map(_with_who_answers, (person, other))
    return BlockedPerson.objects.filter(person__in=ours, other__in=theirs).exists()


def not_reading(author: User) -> People:
    """Return all who are not shown what this person says: who is kept apart from them, and who has muted them.

    One query, and those of `apart_from`.
    """
    muting = MutedPerson.objects.filter(other__in=_with_who_answers(author))
    return apart_from(author).union(muting.values_list("person", flat=True))


def heard_by(reader: User, lines: QuerySet[Said]) -> QuerySet[Said]:
    """Return those of the lines, reactions or comments that this person is shown: not of people kept apart from them,
    nor of those they have muted.

    As many queries as `apart_from`.
    """
    muted = MutedPerson.objects.filter(person=reader).values("other")
    hidden = Q(author__in=muted) | Q(author__operator__in=muted)
    if away := apart_from(reader):
        hidden |= Q(author__in=away)
    return lines.exclude(hidden)
