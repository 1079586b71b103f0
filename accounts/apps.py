"""The Django app of people."""

from typing import Any

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.http import HttpRequest


class AccountsConfig(AppConfig):
    """People: sign-up, guests, profiles, preferences. Knows nothing of games."""

    name = "accounts"

    def ready(self) -> None:
        """Hear who logs in and out."""
        user_logged_in.connect(on_logged_in, dispatch_uid="accounts.on_logged_in")
        user_logged_out.connect(on_logged_out, dispatch_uid="accounts.on_logged_out")


def on_logged_in(request: HttpRequest, **kwargs: object) -> None:
    """Start the session's year: the next request of the day need not."""
    from accounts.sessions import slide  # the apps are not ready when this module is read

    slide(request.session)


def on_logged_out(request: HttpRequest, user: Any, **kwargs: object) -> None:
    """Tell that the session ends, so that its open sockets close."""
    from accounts.signals import tell_sessions_ended  # the apps are not ready when this module is read

    if user is not None:
        tell_sessions_ended(user.pk, request.session.session_key)
