"""A person's notices, and what to be notified of."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts import limits
from accounts.doors import person
from games.actions.notices.choose_notices import choose_notices as _choose_notices
from games.actions.notices.read_notices import read_notices
from games.pages.lists.paging import page_number
from games.pages.notices.feeds.addresses import feed_addresses
from games.pages.notices.notices import notice_choices, notices_page, switch_names
from games.views.lists import is_elsewhere, way_without

CHANGES_AN_HOUR = 60


@never_cache
@require_safe
@login_required
def notices(request: HttpRequest) -> HttpResponse:
    """Show what has happened, and note that the person has seen it."""
    page = notices_page(person(request), page_number(request.GET.get("page", "")))
    if is_elsewhere(request, page.number):
        return way_without(request, "page")
    if request.method == "GET":
        read_notices(person(request), now=timezone.now())
    return render(request, "games/notices/page.html", {"page": page})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def choose_notices(request: HttpRequest) -> HttpResponse:
    """Show and change what the person is notified of, and how."""
    user = person(request)
    if request.method == "POST":
        limits.count_use(f"notice-choices:{user.pk}", CHANGES_AN_HOUR, 3600)
        choices = {name: name in request.POST for name in _asked(request)}
        _choose_notices(user, choices, hour=_hour(request.POST.get("hour", "")))
        messages.success(request, gettext("Your choice is saved."))
        return redirect("notice-choices")
    feeds = feed_addresses(user, request.build_absolute_uri)
    return render(request, "games/notices/choices.html", {"page": notice_choices(user), "feeds": feeds})


def _asked(request: HttpRequest) -> list[str]:
    """Return the switches that the form had: of a way that reaches the person since then nothing was said.

    A page loaded before the form said so had them all.
    """
    asked = request.POST.getlist("asked")
    return [name for name in switch_names() if name in asked or not asked]


def _hour(text: str) -> int | None:
    """Return the hour of the day that was chosen, None where none was, or one that no day has."""
    return int(text) if text in map(str, range(24)) else None
