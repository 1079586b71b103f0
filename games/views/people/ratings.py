"""Lists of the strongest people."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.names import is_same
from games.pages.people.rating_course import rating_page
from games.pages.people.ratings import ranking_page


@never_cache
@require_safe
def ratings(request: HttpRequest, family: str = "", group: str = "") -> HttpResponse:
    """Show the strongest people of a family of variants, of all or of a group of the reader's."""
    page = ranking_page(family, request.user, request.GET.get("since", ""), group)
    return render(request, "games/ratings/page.html", {"ranking": page})


@never_cache
@require_safe
@login_required
def group_ratings(request: HttpRequest, group: str, family: str = "") -> HttpResponse:
    """Show a member the ratings of a group."""
    return ratings(request, family, group)


@never_cache
@require_safe
def rating_course(request: HttpRequest, username: str, family: str) -> HttpResponse:
    """Show how the rating of a person has moved; who has another name now is found by the former one."""
    page = rating_page(username, family, request.user)
    if not is_same(page.username, username):
        return redirect("player-rating", page.username, family)
    return render(request, "games/ratings/course.html", {"page": page})
