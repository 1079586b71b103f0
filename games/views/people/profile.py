"""What everybody may see of a player."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.pages.lists.game_pages import place_in
from games.pages.people.profile import profile


@require_safe
def player(request: HttpRequest, username: str) -> HttpResponse:
    """Show a player's finished games and totals."""
    found = profile(username, request.user, place_in(request.GET))
    return render(request, "games/profile/page.html", {"profile": found, "page": found.page})
