"""What has happened in a game since a player's last turn."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.pages.play.away import away_page
from games.views.analysis.replay import move_number
from games.views.play.play import link_token


@require_safe
def show_while_away(request: HttpRequest, slug: str) -> HttpResponse:
    """Tell what has happened since the last turn of the person who asks, with the board after `?move=N` moves."""
    page = away_page(request.user, slug, link_token(request), move_number(request))
    return render(request, "games/away/page.html", {"page": page})
