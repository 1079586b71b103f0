"""The named openings: all of them, and a page for each."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.models import User
from games.pages.guide import openings as opening_pages


@require_safe
def openings(request: HttpRequest) -> HttpResponse:
    """Show all named openings."""
    return render(request, "games/openings/page.html", {"openings": opening_pages.opening_cards()})


@require_safe
def opening(request: HttpRequest, opening: str) -> HttpResponse:
    """Show what there is to know of an opening; to a child no one who has played it."""
    is_child = isinstance(request.user, User) and request.user.is_child
    page = opening_pages.opening_page(opening, names_people=not is_child)
    return render(request, "games/openings/opening.html", {"opening": page})
