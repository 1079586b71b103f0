"""The games of the person who asks."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.doors import person
from games.queries import my_games as games
from games.queries.pages import page_number
from games.queries.versions import lists_version


@require_safe
@login_required
def my_games(request: HttpRequest) -> HttpResponse:
    """Show all sections, or one of them in pages; htmx gets the lists alone."""
    section, user = request.GET.get("show", ""), person(request)
    page = page_number(request.GET.get("page", ""))
    # Read before the lists: what changes in between is then told, not missed.
    version = lists_version(user.pk)
    found = games.my_section(user, section, page) if section else games.my_games(user)
    is_htmx = getattr(request, "htmx", False)
    context = {"games": found, "show": section, "version": version}
    return render(request, f"games/my_games/{'_lists' if is_htmx else 'page'}.html", context)


@require_safe
@login_required
def waiting(request: HttpRequest) -> HttpResponse:
    """Return the badge that says how many games wait for the person who asks."""
    return render(request, "_badge.html", {"waiting": games.count_waiting(person(request))})
