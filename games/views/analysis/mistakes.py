"""The page of a person's mistakes."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.doors import person
from games.pages.analysis.mistakes import mistakes_page


@require_safe
@never_cache
@login_required
def mistakes(request: HttpRequest) -> HttpResponse:
    """Show the reader's own mistakes in reviewed games, those that are due first."""
    return render(request, "games/mistakes/page.html", {"page": mistakes_page(person(request))})
