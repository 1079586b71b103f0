"""A person by name, and the people that one has played with."""

from accounts.models import User
from games.base.access import Viewer
from games.models import Companion


def player_called(username: str) -> User | None:
    """Return the person of this name, or who had it before another; None where there is none, or no more. One query.

    With the operator of a bot.
    """
    people = User.objects.filter(User.bearing(username), is_active=True).select_related("operator")
    user = people.first() if username.isprintable() else None
    # The key is also that of names that only look like this one.
    return user if user is not None and user.answers_to(username) else None


def latest_companions(user: Viewer, number: int) -> list[tuple[str, bool]]:
    """Return the names of people with accounts this person last played with, and whether each is a bot. One query."""
    people = Companion.objects.filter(user=user.pk, other__is_active=True, other__is_guest=False)
    rows = people.order_by("-last_at").values_list("other__username", "other__operator")[:number]
    return [(name, operator is not None) for name, operator in rows]


def lately_met(user_id: int, number: int) -> list[User]:
    """Return the people with accounts this person last finished games with, the latest first. One query."""
    people = Companion.objects.filter(user=user_id, games__gt=0, other__is_active=True, other__is_guest=False)
    return [each.other for each in people.select_related("other").order_by("-last_at")[:number]]
