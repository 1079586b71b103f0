"""The page an invitation link leads to. It only shows the table: the button, a POST, takes the seat."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from games.queries.invitation import invitation as invited_to


@require_safe
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Show the table; whoever sits there already is sent on to it."""
    table = invited_to(request.user, token)
    if table.is_seated:
        return redirect("game", table.slug)
    return render(request, "games/invitation/page.html", {"table": table})
