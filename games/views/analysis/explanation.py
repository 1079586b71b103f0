"""Why a bot made a move."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from games.pages.analysis.explanation import explanation_page
from games.views.analysis.replay import move_number
from games.views.play.play import link_token


@require_safe
@vary_on_headers("HX-Request")
def why(request: HttpRequest, slug: str) -> HttpResponse:
    """Explain a bot's move: `?move=N`, or the one before it if that is no bot's; by default the last.

    A script of the game's page gets what it opens over the board, everyone else a page.
    """
    page = explanation_page(request.user, slug, link_token(request), move_number(request))
    template = "games/explanation/_over.html" if getattr(request, "htmx", False) else "games/explanation/page.html"
    return render(request, template, {"page": page})
