"""What everybody may see of a player."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.queries.pages import page_number
from games.queries.profile import profile


@require_safe
def player(request: HttpRequest, username: str) -> HttpResponse:
    """Show a player's finished games and totals."""
    found = profile(username, request.user, page_number(request.GET.get("page", "")))
    return render(request, "games/profile/page.html", {"profile": found, "page": found.page})
