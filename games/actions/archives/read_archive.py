"""Note that a person has seen that their archive is there."""

from accounts.models import User


def read_archive(user: User) -> None:
    """Say no more that it is there. No query if nothing says so."""
    if user.has_archive:
        User.objects.filter(pk=user.pk).update(has_archive=False)
        user.has_archive = False
