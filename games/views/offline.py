"""What can be read without a network: the page that a device shows then, and which others it may keep."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

#: The header of a page that the service worker of its reader keeps (static/offline/worker.js).
KEEP = "X-Keep"


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Show what this device keeps, which its scripts find out; it also stands in for pages that are not kept."""
    return render(request, "games/offline/page.html")


def readable_offline(request: HttpRequest, response: HttpResponse, *, is_for_all: bool = False) -> HttpResponse:
    """Allow the reader's device to keep this page: a whole one, under the one address that is its own.

    Only that of a person who is logged in, unless the page is for all.
    """
    is_whole = response.status_code == 200 and not getattr(request, "htmx", False)
    if is_whole and not request.GET and (is_for_all or request.user.is_authenticated):
        response[KEEP] = "page"
    return response
