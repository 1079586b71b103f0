"""The review of a finished game: asking for it, how far it is, cancelling it, and what was found."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from accounts.doors import person
from accounts.limits import client
from games.actions.analysis.ask_for_review import ask_for_review as _ask_for_review
from games.actions.analysis.cancel_review import cancel_review as _cancel_review
from games.base import access
from games.pages.review.page import review_page
from games.table.counting import count_review
from games.views.play.play import link_token


@require_safe
@vary_on_headers("HX-Request")
def review(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the review, or how far it has come."""
    page = review_page(request.user, slug, link_token(request))
    whole = not getattr(request, "htmx", False)
    return render(request, "games/review/page.html" if whole else "games/review/_review.html", {"page": page})


@require_POST
@login_required
def ask_for_review(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for a review of the game, unless there is one."""
    user, token = person(request), link_token(request)
    # A game that the person may not see takes nothing off their limit.
    access.game_to_view(user, slug, token)
    count_review(user, client(request))
    _ask_for_review(user, slug, token)
    # The page of the end shows itself what the review finds.
    return _back(slug, token, "game", "#turned") if request.POST.get("from") == "game" else _back(slug, token)


@require_POST
@login_required
def cancel_review(request: HttpRequest, slug: str) -> HttpResponse:
    """Cancel the review."""
    token = link_token(request)
    _cancel_review(person(request), slug, token)
    return _back(slug, token)


def _back(slug: str, token: str, name: str = "review", part: str = "") -> HttpResponse:
    return redirect(reverse(name, args=[slug]) + (f"?{urlencode({'token': token})}" if token else "") + part)
