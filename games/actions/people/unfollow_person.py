"""Follow somebody no longer."""

from django.db import transaction

from accounts.models import User
from games.base import welcome
from games.models import FollowedPerson
from games.table.people import relations


@transaction.atomic
def unfollow_person(user: User, username: str) -> User:
    """Unfollow this player as the user; return the other, who is not notified. Twice is once.

    Raises:
        NotFound: there is no player of this name.

    """
    other = relations.player_named(username, user)
    # What hangs on whom one follows: which texts of others are shown, and so what is unread.
    unread = relations.unread_lines(user, other) if welcome.depends(user.written_by) else {}
    FollowedPerson.objects.filter(person=user, other=other).delete()
    if unread:
        kept = relations.unread_lines(user, other)
        relations.forget_unread({seat: number - kept.get(seat, 0) for seat, number in unread.items()})
    return other
