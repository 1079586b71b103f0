"""Finished games."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.doors import person
from games.forms.history import HistoryForm
from games.queries.history import history as finished_games
from games.queries.pages import page_number


@require_safe
@login_required
def history(request: HttpRequest) -> HttpResponse:
    """Show the finished games of the person who asks, narrowed as the address says."""
    form = HistoryForm(request.GET)
    page = finished_games(person(request), form.filters(), page_number(request.GET.get("page", "")))
    return render(request, "games/history/page.html", {"form": form, "page": page, "query": form.query()})
