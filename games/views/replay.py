"""A game move by move."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.queries.replay import replay_page
from games.views.play import token_of


@require_safe
def replay(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the game after `?move=N` moves, by default after the last."""
    text = request.GET.get("move", "")
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else None
    page = replay_page(request.user, slug, token_of(request), number)
    return render(request, "games/replay/page.html", {"page": page})
