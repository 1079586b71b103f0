"""Whom a person lets invite them, write to them, or see when they were here: what they have chosen, asked in one place.

A block closes all three (`games.base.apart`). Guests and bots see of no one when they were here, nor does anyone who
shows it to no one.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import DateTimeField, Exists, Expression, OuterRef, Q, QuerySet, Subquery, Value

from accounts.models import Presence, User, Welcome
from games.base.apart import is_apart
from games.models import Companion, FollowedPerson, TalkMessage

#: Who was seen so lately counts as online: an open page says so at least as often (`accounts.presence`).
ONLINE = timedelta(minutes=5)
#: Who has looked at a game so lately looks still: open pages report every half minute that they are looked at, and it
#: is stored once a minute.
LOOKING = timedelta(seconds=100)
#: Choices for which it counts who the other is.
_DEPENDS = (Welcome.PLAYED, Welcome.FOLLOWED)


def lets(choice: str, *, has_played: bool, follows: bool) -> bool:
    """Return whether a person with this choice wants one whom they follow, with whom they have played, or neither."""
    wanted = {
        Welcome.EVERYONE: True,
        Welcome.PLAYED: has_played or follows,
        Welcome.FOLLOWED: follows,
        Welcome.NO_ONE: False,
    }
    return wanted[Welcome(choice)]


def depends(choice: str) -> bool:
    """Return whether this choice asks who the other is."""
    return choice in _DEPENDS


def followers_among(people: Collection[int], other: User) -> set[int]:
    """Return which of these people follow another one. One query, none for no one."""
    if not people:
        return set()
    return {*FollowedPerson.objects.filter(person__in=people, other=other).values_list("person", flat=True)}


def are_written_by(author: User, readers: Collection[User]) -> bool:
    """Return whether all these people want to read texts of this person's own, or of this bot of theirs.

    To have played is to have finished a game together: whoever sits at the same table plays anyway. No query where
    everybody lets everyone write, two at most.
    """
    asked = [person for person in readers if not person.is_bot and person.pk not in (author.pk, author.operator_id)]
    unsure = {person.pk for person in asked if depends(person.written_by)}
    followers = followers_among(unsure, author)
    met = _met_among({person.pk for person in asked if person.written_by == Welcome.PLAYED} - followers, author)
    return all(lets(person.written_by, has_played=person.pk in met, follows=person.pk in followers) for person in asked)


def may_be_seated_together(person: User, others: Collection[User]) -> bool:
    """Return whether the site may seat a person with all these others. No query where everybody lets everyone, three
    at most.
    """
    return seated_with(person, others).issuperset(other.pk for other in others)


def seated_with(person: User, others: Collection[User]) -> set[int]:
    """Return with which of these others the site may seat a person unasked: each side lets the other invite them.

    With oneself one may. No query where everybody lets everyone, three at most.
    """
    asked = [other for other in others if other.pk != person.pk]
    unsure = [other.pk for other in asked if depends(person.invited_by) or depends(other.invited_by)]
    follows = FollowedPerson.objects.filter(person=person, other__in=unsure).values_list("other", flat=True)
    followed = {*follows} if unsure and depends(person.invited_by) else set[int]()
    followers, met = followers_among(unsure, person), _met_among(unsure, person)
    return {person.pk} | {
        other.pk
        for other in asked
        if lets(person.invited_by, has_played=other.pk in met, follows=other.pk in followed)
        and lets(other.invited_by, has_played=other.pk in met, follows=other.pk in followers)
    }


def wanted_by(reader: User, lines: QuerySet[TalkMessage]) -> QuerySet[TalkMessage]:
    """Return those of the lines that this person wants to read: of texts of people's own, as `are_written_by` says.

    It counts when the lines are read: they may have been written before the reader came. No query.
    """
    if reader.is_bot or reader.written_by == Welcome.EVERYONE:
        return lines
    wanted = Q(text="") | Q(author=reader) | Q(author__operator=reader)
    if depends(reader.written_by):
        wanted |= Q(Exists(FollowedPerson.objects.filter(person=reader, other=OuterRef("author"))))
    if reader.written_by == Welcome.PLAYED:
        wanted |= Q(Exists(Companion.objects.filter(user=reader, other=OuterRef("author"), games__gt=0)))
    return lines.filter(wanted)


def _met_among(people: Collection[int], other: User) -> set[int]:
    """Return with which of these people another one has finished a game. One query, none for no one."""
    if not people:
        return set()
    rows = Companion.objects.filter(user__in=people, other=other, games__gt=0)
    return {*rows.values_list("user", flat=True)}


def is_online(seen_at: datetime, now: datetime) -> bool:
    """Return whether a person who was seen then counts as online."""
    return now - seen_at <= ONLINE


def sees_others(reader: User | AnonymousUser) -> bool:
    """Return whether this person sees of anyone when they were here: who shows it to no one does not. No query."""
    return bool(settings.PRESENCE) and isinstance(reader, User) and reader.is_noted


def shows_at_table(person: User, *, plays: bool) -> bool:
    """Return whether this person lets someone see that they look at a game now: who `plays` in it too, or watches.

    Who shows it to those alone whom they follow, shows it on other pages, which ask for that. No query.
    """
    return person.is_noted and (person.seen_by == Welcome.EVERYONE or (plays and person.seen_by == Welcome.PLAYED))


def last_here(reader: User | AnonymousUser, person: str) -> Expression | Subquery:
    """Return what annotates rows with when the person at this path was last here, as far as the reader may know.

    Null where they may not, and for the reader. Both ways: the other has chosen that this person sees it, and this
    person that the other does, of whom it is kept too. It stands in the statement that asks for the people: no further
    query.
    """
    if not (isinstance(reader, User) and sees_others(reader)):
        return Value(None, DateTimeField(null=True))
    follows = Exists(FollowedPerson.objects.filter(person=OuterRef("person"), other=reader))
    has_played = Exists(Companion.objects.filter(user=OuterRef("person"), other=reader, games__gt=0))
    is_known = Q(follows, person__seen_by__in=_DEPENDS) | Q(has_played, person__seen_by=Welcome.PLAYED)
    wanted = Q(person__seen_by=Welcome.EVERYONE) | is_known
    # Of who has just begun to show it, it is not kept yet.
    rows = Presence.objects.filter(wanted, Exists(Presence.objects.filter(person=reader)), person=OuterRef(person))
    rows = rows.exclude(person=reader)
    if depends(reader.seen_by):
        is_shown = Q(Exists(FollowedPerson.objects.filter(person=reader, other=OuterRef("person"))))
        rows = rows.filter(is_shown | has_played if reader.seen_by == Welcome.PLAYED else is_shown)
    if reader.is_kept_apart:
        rows = rows.exclude(is_apart(reader, "person"))
    return Subquery(rows.values("seen_at"))


def seen_in(row: FollowedPerson | Companion) -> User:
    """Return the other person of a row that was annotated with `last_here` of them."""
    row.other.last_here = vars(row)["last_here"]
    return row.other
