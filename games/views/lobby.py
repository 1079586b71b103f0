"""The lobby."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.queries.lobby import lobby as open_tables
from games.queries.pages import page_number
from games.queries.versions import lobby_version


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """Show the open tables; htmx gets the list alone."""
    # Read before the list: what changes in between is then told, not missed.
    version = lobby_version()
    page = open_tables(request.user, page_number(request.GET.get("page", "")))
    template = "games/lobby/_list.html" if getattr(request, "htmx", False) else "games/lobby/page.html"
    return render(request, template, {"page": page, "version": version})
