"""The page an invitation link leads to. It only shows the table: the button, a POST, takes the seat."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from games.pages.waiting.invitation import invitation_page


@require_safe
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Show the table; a player who sits there already is sent on to it."""
    table = invitation_page(request.user, token)
    if table.rights.is_seated:
        return redirect("game", table.state.game.slug)
    return render(request, "games/invitation/page.html", {"table": table, "token": token})
