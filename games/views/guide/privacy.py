"""What the site keeps about people, and who answers for it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.pages.guide.privacy import privacy_page


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """Show what is kept, for how long, who else gets it, which cookies there are, and whom to ask."""
    return render(request, "games/privacy/page.html", {"page": privacy_page()})
