"""Note that a person has read what moderators have decided about them and their reports."""

from accounts.models import User


def read_decisions(user: User) -> None:
    """Say no more that there is something to read. No query if there is nothing."""
    if user.has_decisions:
        User.objects.filter(pk=user.pk).update(has_decisions=False)
        user.has_decisions = False
