"""Lists of the strongest people."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.pages.people.ratings import ranking_page


@never_cache
@require_safe
def ratings(request: HttpRequest, family: str = "") -> HttpResponse:
    """Show the strongest people of a family of variants."""
    return render(request, "games/ratings/page.html", {"ranking": ranking_page(family, request.user)})
