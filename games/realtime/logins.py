"""Whether the login that opened a socket still holds. An open socket does not notice a logout by itself."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest

from accounts.models import User


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
