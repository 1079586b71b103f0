"""The game in words: switching to it and back, asking it something, and placing what was typed."""

from dataclasses import replace
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from accounts.doors import person
from accounts.models import Placing
from games.actions.moves.play_placement import play_placement
from games.actions.moves.try_placement import try_placement
from games.errors import GameError, NotFound
from games.table.typed import canonical
from games.views.play import play
from games.views.view_request import remember_mode, view_request_of


@require_POST
def mode(request: HttpRequest, slug: str) -> HttpResponse:
    """Remember whether this browser wants games in words, and go back to the game."""
    token = play.link_token(request)
    response = redirect(reverse("game", args=[slug]) + (f"?{urlencode({'token': token})}" if token else ""))
    remember_mode(response, is_spoken=request.POST.get("spoken") == "yes")
    return response


@require_safe
@vary_on_headers("HX-Request")
def ask(request: HttpRequest, slug: str) -> HttpResponse:
    """Answer a command, or list the places of a piece: the game in words with what was asked for."""
    return play.show(
        request, slug, view_request=replace(view_request_of(request, slug), is_spoken=True, is_asking=True)
    )


@require_POST
@login_required
def typed(request: HttpRequest, slug: str) -> HttpResponse:
    """Say a typed placement back; sent once more, or where nothing is to be confirmed, place it."""
    user, text = person(request), request.POST.get("text", "")
    # What was typed stands in the field of a page that is kept; one that is reloaded has to bring it.
    view_request = replace(
        view_request_of(request, slug), is_spoken=True, typed="" if getattr(request, "htmx", False) else text
    )
    try:
        draft = canonical(user, slug, text)
        if user.placing != Placing.DIRECT and request.POST.get("said") != draft:
            try_placement(user, slug, placement=draft, number=play.due_in(request))
            return play.show(request, slug, view_request=replace(view_request, draft=draft))
    except NotFound:
        raise
    except GameError as error:
        return play.refuse(request, slug, error, view_request)
    # Not tried before it is placed: sent again because its answer was lost, it is answered again, not refused.
    return play.act(
        request,
        slug,
        lambda user: play_placement(user, slug, placement=draft, **play.move_request(request, draft)),
        view_request,
    )
