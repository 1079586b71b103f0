"""A guardian and a child to test with."""

from allauth.account.models import EmailAddress

from accounts.children.keeping import make_child
from accounts.models import User
from games.actions.children.allow_person import allow_person
from tests.games.tables import NOON


def can_be_guardian(user: User) -> User:
    EmailAddress.objects.get_or_create(user=user, email=user.email, verified=True, primary=True)
    return user


def child_of(guardian: User, name: str = "Mia", *friends: User, password: str = "") -> User:
    """Return a child of this guardian who may play with these friends."""
    child = make_child(can_be_guardian(guardian), name, password)
    for friend in friends:
        allow_person(guardian, child.pk, friend.username, now=NOON)
    return User.objects.get(pk=child.pk)
