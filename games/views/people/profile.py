"""What everybody may see of a player."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts.names import is_same
from games.pages.lists.game_pages import place_in
from games.pages.people.profile import profile


@require_safe
def player(request: HttpRequest, username: str) -> HttpResponse:
    """Show a player's finished games and totals; who has another name now is found by the former one."""
    found = profile(username, request.user, place_in(request.GET))
    if not is_same(found.username, username):
        return redirect("player", found.username)
    return render(request, "games/profile/page.html", {"profile": found, "page": found.page})
