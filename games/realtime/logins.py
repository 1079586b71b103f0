"""Whose a socket is, and whether the login that opened it still holds: an open one does not notice a logout by itself.

Sockets that open within a short while ask for their logins together, as they do for all else (`heartbeats`).
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user, load_backend
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, parse_cookie
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts.models import Session, User
from games.realtime.heartbeats import OPENING_EVERY, QueryBatcher
from games.realtime.origin import App, AsgiScope, Receive, Send


def with_logins(app: App) -> App:
    """Return the socket application, with `session` and `user` in its scope as Channels sets them.

    A visitor without a session costs no query.
    """
    store = import_module(settings.SESSION_ENGINE).SessionStore

    async def known(scope: AsgiScope, receive: Receive, send: Send) -> None:
        cookies = parse_cookie(dict(scope["headers"]).get(b"cookie", b"").decode("latin-1"))
        key = cookies.get(settings.SESSION_COOKIE_NAME)
        user = await _openers.answer(key) if key else AnonymousUser()
        await app({**scope, "session": store(key), "user": user}, receive, send)

    return known


def openers(keys: Sequence[str]) -> list[User | AnonymousUser]:
    """Return for each key of a session the person who is logged in with it, as a page's request would. Two queries.

    A suspended person is no one here.
    """
    stored = Session.objects.filter(session_key__in=set(keys), expire_date__gt=timezone.now())
    sessions = {session.session_key: session.get_decoded() for session in stored}
    logins = {key: content for key, content in sessions.items() if SESSION_KEY in content}
    pk_of = {key: int(content[SESSION_KEY]) for key, content in logins.items()}
    people = {user.pk: user for user in User.objects.filter(pk__in=set(pk_of.values()))} if logins else {}
    found = {key: user for key, content in logins.items() if (user := people.get(pk_of[key])) and _is_of(content, user)}
    return [found.get(key) or AnonymousUser() for key in keys]


def _is_of(content: Mapping[str, Any], user: User) -> bool:
    """Whether a session with this content may be used by this person, and was begun with their present password."""
    path = content.get(BACKEND_SESSION_KEY)
    if path not in settings.AUTHENTICATION_BACKENDS:
        return False
    backend: Any = load_backend(path)
    if user.is_suspended or not backend.user_can_authenticate(user):
        return False
    try:
        return constant_time_compare(content.get(HASH_SESSION_KEY) or "", user.get_session_auth_hash())
    except PermissionDenied:
        return False


_openers = QueryBatcher(openers, every=OPENING_EVERY, key=lambda key: key)


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
    return user if isinstance(user, User) and user.pk == opened_by.pk and not user.is_suspended else None


def holding_logins(scopes: Sequence[Mapping[str, Any]]) -> list[bool]:
    """Return for each of these sockets what `viewer_of` says of it: whether its login still holds. Two queries.

    The session and the password were checked against each other when the socket opened. So the login holds as long as
    both are what they were then: a session keeps its owner under one key, and only a new password ends it otherwise.
    """
    logins = [(scope["session"].session_key, scope["user"]) for scope in scopes if scope["user"].is_authenticated]
    stored = Session.objects.filter(session_key__in={key for key, _user in logins}, expire_date__gt=timezone.now())
    owners = dict(stored.values_list("session_key", "user_id")) if logins else {}
    people = User.objects.filter(User.acting(timezone.now()), pk__in={user.pk for _key, user in logins}, is_active=True)
    passwords = dict(people.values_list("pk", "password")) if logins else {}

    def holds(scope: Mapping[str, Any]) -> bool:
        user, key = scope["user"], scope["session"].session_key
        return not user.is_authenticated or (owners.get(key), passwords.get(user.pk)) == (user.pk, user.password)

    return list(map(holds, scopes))
