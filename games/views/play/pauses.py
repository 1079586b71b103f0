"""A pause on which the players of a game agree: asking for it, agreeing, declining, ending it."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.doors import person
from accounts.limits import client
from games.actions.pauses.agree_to_pause import agree_to_pause as _agree_to_pause
from games.actions.pauses.ask_for_pause import ask_for_pause as _ask_for_pause
from games.actions.pauses.drop_pause_request import drop_pause_request as _drop_pause_request
from games.actions.pauses.end_pause import end_pause as _end_pause
from games.errors import BadRequest
from games.table.counting import count_pause
from games.views.play.play import act, number_in, pause_in


@require_POST
@login_required
def ask_for_pause(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask the others for a pause."""
    count_pause(person(request), client(request))
    return act(request, slug, lambda user: _ask_for_pause(user, slug, pause_version=pause_in(request)))


@require_POST
@login_required
def agree_to_pause(request: HttpRequest, slug: str) -> HttpResponse:
    """Agree to the pause that another player wants."""
    return act(request, slug, lambda user: _agree_to_pause(user, slug, request=request_in(request)))


@require_POST
@login_required
def drop_pause_request(request: HttpRequest, slug: str) -> HttpResponse:
    """Withdraw the request for a pause, or decline it."""
    return act(request, slug, lambda user: _drop_pause_request(user, slug, request=request_in(request)))


@require_POST
@login_required
def end_pause(request: HttpRequest, slug: str) -> HttpResponse:
    """End the pause of the game."""
    return act(request, slug, lambda user: _end_pause(user, slug, pause_version=pause_in(request)))


def request_in(request: HttpRequest) -> int:
    """Return which request of a player the page showed: the version of the game at which it was made.

    Raises:
        BadRequest: the request tells none; `field` is request.

    """
    version = number_in(request.POST.get("request", ""))
    if version is None:
        raise BadRequest(_("This page sent an incomplete request. Reload it and try again."), field="request")
    return version
