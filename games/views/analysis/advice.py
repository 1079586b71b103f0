"""Hints: request good placements for your turn, then poll for the result."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from accounts.doors import person
from accounts.limits import client
from games.actions.analysis.ask_for_advice import ask_for_advice
from games.pages.analysis.advice import advice_page
from games.table.counting import count_advice


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def advice(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what was found for the turn that is due; a POST asks for it first."""
    user, way = person(request), request.POST.get("way") or request.GET.get("way", "")
    is_part = getattr(request, "htmx", False)
    if request.method == "POST":
        count_advice(user, client(request))
        ask_for_advice(user, slug)
        if not is_part:
            return redirect(reverse("game-advice", args=[slug]))
    page = advice_page(user, slug, way if is_part else "page")
    response = render(request, "games/advice/_advice.html" if is_part else "games/advice/page.html", {"page": page})
    response["Cache-Control"] = "private, no-store"
    return response
