"""Whether the login that opened a socket still holds. An open socket does not notice a logout by itself."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import Session, User


def viewer_of(scope: Mapping[str, Any]) -> User | AnonymousUser | None:
    """Return who reads this socket now, by the session as it is stored now; None once its login has ended.

    A socket opened without a login stays anonymous. Two queries for a login, none without.
    """
    opened_by = scope["user"]
    if not opened_by.is_authenticated:
        return AnonymousUser()
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(scope["session"].session_key)
    user = get_user(request)
    return user if isinstance(user, User) and user.pk == opened_by.pk else None


def holding_logins(scopes: Sequence[Mapping[str, Any]]) -> list[bool]:
    """Return for each of these sockets what `viewer_of` says of it: whether its login still holds. Two queries.

    The session and the password were checked against each other when the socket opened. So the login holds as long as
    both are what they were then: a session keeps its owner under one key, and only a new password ends it otherwise.
    """
    logins = [(scope["session"].session_key, scope["user"]) for scope in scopes if scope["user"].is_authenticated]
    stored = Session.objects.filter(session_key__in={key for key, _user in logins}, expire_date__gt=timezone.now())
    owners = dict(stored.values_list("session_key", "user_id")) if logins else {}
    people = User.objects.filter(pk__in={user.pk for _key, user in logins}, is_active=True)
    passwords = dict(people.values_list("pk", "password")) if logins else {}

    def holds(scope: Mapping[str, Any]) -> bool:
        user, key = scope["user"], scope["session"].session_key
        return not user.is_authenticated or (owners.get(key), passwords.get(user.pk)) == (user.pk, user.password)

    return list(map(holds, scopes))
