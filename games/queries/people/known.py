"""A person by name, and the people that one has played with."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet

from accounts import names
from accounts.models import User
from games.base.access import Viewer
from games.base.apart import People, apart_from
from games.base.children import is_hidden, known_to
from games.base.welcome import last_here, seen_in
from games.models import BlockedPerson, Companion, FollowedPerson, MutedPerson
from games.queries.people.seated import score_in, scores_beside
from games.values import ScoreOfTwo


def player_called(username: str, viewer: Viewer) -> User | None:
    """Return the person of this name, or who had it before another; None where there is none, or no more.

    So it is with a child whom the viewer may not know, and for a child with everyone else. With the operator of a bot.
    One query, and one more where a child is one of the two.
    """
    user = _called(username, User.objects.all())
    return None if user is None or is_hidden(user, viewer) else user


def _called(username: str, users: QuerySet[User]) -> User | None:
    people = users.filter(User.bearing(username), is_active=True).select_related("operator")
    user = people.first() if username.isprintable() else None
    # The key is also that of names that only look like this one.
    if user is None or not user.answers_to(username):
        return None
    # A name that a moderator has taken away leads to no one.
    return user if names.is_same(username, user.username) or not user.has_lost(username) else None


@dataclass(frozen=True)
class Seen:
    """A person as one viewer has them on their lists; a friend is followed, and follows back."""

    user: User
    is_blocked: bool
    is_muted: bool
    is_followed: bool
    is_friend: bool


def player_seen(username: str, viewer: Viewer) -> Seen | None:
    """Return the person whom `player_called` returns, as this viewer has them on their lists. One query.

    With when they were last here, if the viewer may know.
    """
    lists = {
        "is_blocked": Exists(BlockedPerson.objects.filter(person=viewer.pk, other=OuterRef("pk"))),
        "is_muted": Exists(MutedPerson.objects.filter(person=viewer.pk, other=OuterRef("pk"))),
        "is_followed": Exists(FollowedPerson.objects.filter(person=viewer.pk, other=OuterRef("pk"))),
        "is_back": Exists(FollowedPerson.objects.filter(person=OuterRef("pk"), other=viewer.pk)),
    }
    user = _called(username, User.objects.annotate(**lists, here_at=last_here(viewer, "pk")))
    if user is None or is_hidden(user, viewer):
        return None
    user.last_here = vars(user)["here_at"]
    blocked, muted, followed, back = (bool(vars(user)[name]) for name in lists)
    return Seen(user, blocked, muted, followed, followed and back)


def latest_companions(user: Viewer, number: int) -> list[tuple[str, bool]]:
    """Return the names of people with accounts this person last played with, and whether each is a bot.

    Without those from whom they are kept apart. One query, and those of `apart_from`.
    """
    people = Companion.objects.filter(user=user.pk, other__is_active=True, other__is_guest=False)
    people = people.filter(known_to(user, "other__")).exclude(other__in=apart_from(user))
    rows = people.order_by("-last_at").values_list("other__username", "other__operator")[:number]
    return [(name, operator is not None) for name, operator in rows]


def lately_met(user: User, apart: People, number: int) -> list[tuple[User, ScoreOfTwo]]:
    """Return the people with accounts this person last finished games with, the latest first, and the score. One query.

    Without the people `apart`, from whom they are kept apart; with when each was last here, if the person may know.
    """
    people = Companion.objects.filter(user=user, games__gt=0, other__is_active=True, other__is_guest=False)
    people = people.filter(known_to(user, "other__")).exclude(other__in=apart)
    found = people.select_related("other").annotate(last_here=last_here(user, "other"), **scores_beside(user, "other"))
    return [(seen_in(row), score_in(row)) for row in found.order_by("-last_at")[:number]]
