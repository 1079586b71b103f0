"""Finished games, as a page and as files."""

from collections.abc import Callable

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts import limits
from accounts.doors import person
from accounts.models import User
from games.counting import FILES_AN_HOUR
from games.forms.history import HistoryForm
from games.pages.history.file import MOST, HistoryFile, history_as_csv, history_as_json
from games.pages.history.page import history_page
from games.pages.history.search import Filters
from games.pages.lists.game_pages import place_in


@require_safe
@login_required
def history(request: HttpRequest) -> HttpResponse:
    """Show the person's finished games, filtered as the address says."""
    form = HistoryForm(request.GET)
    page = history_page(person(request), form.filters(), place_in(request.GET))
    context = {"form": form, "history": page, "page": page.games, "query": form.query(), "most": MOST}
    return render(request, "games/history/page.html", context)


@require_safe
@login_required
def history_csv(request: HttpRequest) -> HttpResponse:
    """Return the games that the page would list as CSV."""
    return _sent(request, history_as_csv)


@require_safe
@login_required
def history_json(request: HttpRequest) -> HttpResponse:
    """Return the games that the page would list as JSON."""
    return _sent(request, history_as_json)


def _sent(request: HttpRequest, make: Callable[[User, Filters, str], HistoryFile]) -> HttpResponse:
    user = person(request)
    limits.count_use(f"history-file:{user.pk}", FILES_AN_HOUR, 3600)
    file = make(user, HistoryForm(request.GET).filters(), request.build_absolute_uri("/").rstrip("/"))
    # Not streamed: the number of games is limited, so the file is small; a stream would hold its thread and connection.
    response = HttpResponse("".join(file.parts), content_type=file.content_type)
    response["Content-Disposition"] = f'attachment; filename="{file.name}"'
    response["Cache-Control"] = "private, no-store"
    return response
