"""The Django app of people."""

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.core.signals import request_finished
from django.http import HttpRequest


class AccountsConfig(AppConfig):
    """People: sign-up, guests, profiles, preferences. Knows nothing of games."""

    name = "accounts"

    def ready(self) -> None:
        """Hear who logs in, and when requests are over."""
        user_logged_in.connect(on_logged_in, dispatch_uid="accounts.on_logged_in")
        from accounts.keys import listening  # the apps are not ready when this module is read

        listening.connect_signals()
        from accounts.presence.noting import write_late

        request_finished.connect(write_late, dispatch_uid="accounts.presence.write_late")


def on_logged_in(request: HttpRequest, **kwargs: object) -> None:
    """Start the session's year, in this browser: the next request of the day need not."""
    from accounts.keys.agents import device_of_agent  # the apps are not ready when this module is read
    from accounts.sessions import begin_login

    # A log-in lasts longer than the question for a passkey.
    request.session.pop("_session_expiry", None)
    begin_login(request.session, device_of_agent(request.headers.get("User-Agent", "")))
