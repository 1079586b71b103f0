"""The page of rules."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.pages.guide.rules import pictures, sections
from games.words.happenings.absences import every_rule


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show R1-R10 and what differs from board to board in plain words, with pictures."""
    shown = {"pictures": pictures(), "sections": sections(), "late": every_rule()}
    return render(request, "games/rules/page.html", shown)
