"""Why a bot made a move."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.pages.explanation import explanation_page
from games.views.play import link_token
from games.views.replay import move_number


@require_safe
def why(request: HttpRequest, slug: str) -> HttpResponse:
    """Explain a bot's move: `?move=N`, or the one before it if that is no bot's; by default the last."""
    page = explanation_page(request.user, slug, link_token(request), move_number(request))
    return render(request, "games/explanation/page.html", {"page": page})
