"""The Django app of people."""

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.http import HttpRequest


class AccountsConfig(AppConfig):
    """People: sign-up, guests, profiles, preferences. Knows nothing of games."""

    name = "accounts"

    def ready(self) -> None:
        """Hear who logs in."""
        user_logged_in.connect(on_logged_in, dispatch_uid="accounts.on_logged_in")


def on_logged_in(request: HttpRequest, **kwargs: object) -> None:
    """Start the session's year: the next request of the day need not."""
    from accounts.sessions import slide  # the apps are not ready when this module is read

    slide(request.session)
