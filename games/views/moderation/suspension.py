"""The one page that a suspended person is shown, whatever they ask for."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin
from django_htmx.http import HttpResponseClientRefresh

from accounts.models import User
from games.pages.moderation.reports import suspended_page

#: What stays open: what was decided, an appeal, the rules of conduct, one's data, leaving for good, and what shows no
#: game.
OPEN = {
    *("decisions", "decision-appeal", "conduct", "privacy", "account_logout", "account-delete", "unsubscribe"),
    *("own-data", "own-archive"),
    *("account_reauthenticate", "mfa_reauthenticate", "mfa_reauthenticate_webauthn"),
    *("language", "time-zone", "health", "metrics", "manifest", "favicon", "robots", "service-worker", "security-txt"),
}


class SuspensionMiddleware(MiddlewareMixin):
    """Answer a suspended person 403 everywhere, with the reason, the end and a way to appeal.

    Their session lives on, for a guest has nothing else; it opens nothing until the suspension ends by itself.
    """

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        """Return the page for a suspended person, None for everybody else. No query but that for the person."""
        name = str(request.resolver_match.url_name) if request.resolver_match else ""
        # The API knows nobody by a cookie, and its own door refuses the tokens of the suspended.
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or name in OPEN or "/api/v" in request.path_info:
            return None
        if not isinstance(request.user, User) or not request.user.is_suspended:
            return None
        if getattr(request, "htmx", False):
            return HttpResponseClientRefresh()
        return render(request, "games/moderation/suspended.html", {"page": suspended_page(request.user)}, status=403)
