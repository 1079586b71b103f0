"""What everybody may see of a player."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.names import is_same
from games.pages.children.home import child_other
from games.pages.lists.game_pages import cursor_in
from games.pages.people.profile import profile


@require_safe
def player(request: HttpRequest, username: str) -> HttpResponse:
    """Show a player's finished games and totals; who has another name now is found by the former one.

    A child reads no more than the name of somebody whom it may meet.
    """
    if isinstance(request.user, User) and request.user.is_child:
        page = child_other(request.user, username)
        return render(request, "games/children/player.html", {"page": page})
    found = profile(username, request.user, cursor_in(request.GET))
    if not is_same(found.username, username):
        return redirect("player", found.username)
    return render(request, "games/profile/page.html", {"profile": found, "page": found.page})
