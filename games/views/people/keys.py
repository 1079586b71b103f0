"""The page about a person's log-ins: how, where, and which programs act for them."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.doors import person
from accounts.keys.pages import keys_page
from accounts.keys.views import own
from accounts.sessions import has_unread_change, note_read
from games.queries.notices.webhooks import receivers_kept_by


@require_safe
@own
def keys(request: HttpRequest) -> HttpResponse:
    """Show how a person logs in, where they are logged in, and which programs act for them."""
    user = person(request)
    if has_unread_change(request.session, user.keys_changed_at):
        note_read(request.session, timezone.now())
    context = {
        "page": keys_page(user, request.session.session_key or ""),
        "webhooks": receivers_kept_by(user),
    }
    return render(request, "mfa/index.html", context)
