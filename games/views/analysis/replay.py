"""A game move by move."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.pages.replay.page import replay_page
from games.views.play.play import link_token, number_in


@require_safe
def show_replay(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the game after `?move=N` moves, by default after the last."""
    page = replay_page(request.user, slug, link_token(request), move_number(request))
    return render(request, "games/replay/page.html", {"page": page})


def move_number(request: HttpRequest) -> int | None:
    """Return the number of the move that is asked for, None for none or nonsense."""
    return number_in(request.GET.get("move", ""))
