"""The lessons: learn the rules by doing."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from games.pages.guide.learn import lesson_page


@require_safe
@vary_on_headers("HX-Request")
def learn(request: HttpRequest) -> HttpResponse:
    """Show a lesson and answer an attempt, which is a part of the address: nothing is stored."""
    page = lesson_page(request.GET.get("lesson", ""), request.GET.get("placement", ""))
    template = "games/learn/_lesson.html" if getattr(request, "htmx", False) else "games/learn/page.html"
    return render(request, template, {"page": page})
