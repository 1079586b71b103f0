"""People whom a person follows: their page, and following somebody and not."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.doors import person
from accounts.limits import client
from games.actions.people.follow_person import follow_person as _follow_person
from games.actions.people.unfollow_person import unfollow_person as _unfollow_person
from games.actions.tables.repeat_table import repeat_table
from games.pages.lists.paging import page_number
from games.pages.people.circle import circle_page, last_game_with
from games.table.counting import count_person, count_table
from games.views.lists import is_elsewhere, way_without
from games.views.waiting.tables import way_to_repeated


@never_cache
@require_safe
@login_required
def circle(request: HttpRequest) -> HttpResponse:
    """Show whom the reader follows, and with whom they played lately."""
    page = circle_page(person(request), page_number(request.GET.get("page", "")))
    if is_elsewhere(request, page.followed.number):
        return way_without(request, "page")
    context = {"circle": page, "page": page.followed, "has_ratings": settings.RATINGS}
    return render(request, "games/people/page.html", context)


@require_POST
@login_required
def follow_person(request: HttpRequest, username: str) -> HttpResponse:
    """Follow this player."""
    user = person(request)
    count_person(user, client(request))
    other = _follow_person(user, username)
    messages.success(request, _("You follow %(name)s.") % {"name": other.shown_name})
    return _back(request, other.username)


@require_POST
@login_required
def unfollow_person(request: HttpRequest, username: str) -> HttpResponse:
    """Follow this player no longer."""
    user = person(request)
    count_person(user, client(request))
    other = _unfollow_person(user, username)
    messages.success(request, _("You do not follow %(name)s any more.") % {"name": other.shown_name})
    return _back(request, other.username)


@require_POST
@login_required
def repeat_with_person(request: HttpRequest, username: str) -> HttpResponse:
    """Open a table for the people of the last game that the reader has finished with this player."""
    user = person(request)
    count_table(user)
    return way_to_repeated(request, repeat_table(user, last_game_with(user, username)))


def _back(request: HttpRequest, username: str) -> HttpResponse:
    return redirect("people") if "listed" in request.POST else redirect("player", username)
