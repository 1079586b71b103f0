"""The play page, the fragment that keeps it up to date, and the moves made on it."""

import hashlib
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.doors import person
from accounts.models import User
from games.actions.claim_timeout import claim_timeout
from games.actions.pass_turn import pass_turn
from games.actions.pause_game import pause_game
from games.actions.play_placement import play_placement
from games.actions.resign import resign as give_up
from games.actions.resume_game import resume_game
from games.actions.step_game import step_game
from games.errors import BadRequest, GameError, NotFound
from games.queries import placements as placement_queries
from games.queries import play as queries
from games.queries.look import Look
from games.queries.refusal import notice_of
from games.views.errors import with_headers
from games.views.look import look_of

FRAGMENT = "games/play/fragment.html"


@require_safe
def game(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a game: the table while it waits for players, the board from then on."""
    return show(request, slug)


@require_safe
def board(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the part of the page that changes; 304 where the page has it already."""
    known = request.headers.get("If-None-Match", "")
    page = queries.changed_page(request.user, slug, token_of(request), known, look=look_of(request))
    response = render_page(request, page, FRAGMENT) if page else HttpResponse(status=304)
    response["ETag"] = page.tag if page else known
    response["Cache-Control"] = "private, no-cache"
    return response


@require_safe
@login_required
def placements(request: HttpRequest, slug: str) -> HttpResponse:
    """List every legal placement, each as a button of its own: a move without JavaScript, and for those who read."""
    page = placement_queries.placements_page(person(request), slug, request.GET.get("piece", ""))
    return render(request, "games/play/placements.html", {"page": page})


@require_POST
@login_required
def place(request: HttpRequest, slug: str) -> HttpResponse:
    """Place a piece."""
    text = request.POST.get("placement", "")
    return act(request, slug, lambda user: play_placement(user, slug, placement=text, **named(request, text)))


@require_POST
@login_required
def pass_(request: HttpRequest, slug: str) -> HttpResponse:
    """Pass for a colour that has no place left."""
    return act(request, slug, lambda user: pass_turn(user, slug, **named(request, "pass")))


@require_POST
@login_required
def resign(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the game up."""
    return act(request, slug, lambda user: give_up(user, slug))


@require_POST
@login_required
def claim(request: HttpRequest, slug: str) -> HttpResponse:
    """Go on without a player whose time has run out."""
    return act(request, slug, lambda user: claim_timeout(user, slug, **named(request, "claim")))


@require_POST
@login_required
def pause(request: HttpRequest, slug: str) -> HttpResponse:
    """Let the bots wait."""
    return act(request, slug, lambda user: pause_game(user, slug, version=version_in(request)))


@require_POST
@login_required
def resume(request: HttpRequest, slug: str) -> HttpResponse:
    """Let the bots go on."""
    return act(request, slug, lambda user: resume_game(user, slug, version=version_in(request)))


@require_POST
@login_required
def step(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for one move of the bots that wait."""
    number = number_in(request.POST.get("number", "")) or 0
    answer = act(request, slug, lambda user: step_game(user, slug, number=number, version=version_in(request)))
    if "Location" in answer:
        # What is being waited for stands in the address, for a page that cannot remember it.
        answer["Location"] += "?" + urlencode({"since": version_in(request), "number": number})
    return answer


def number_in(text: str) -> int | None:
    """Return the number of a move that is asked for, None for none or nonsense."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else None


def act(request: HttpRequest, slug: str, action: Callable[[User], object], look: Look | None = None) -> HttpResponse:
    """Do it and answer with the game as it is then; refused, with the sentence that says why."""
    try:
        action(person(request))
    except NotFound:
        raise
    except GameError as error:
        return refuse(request, slug, error, look)
    return show(request, slug) if getattr(request, "htmx", False) else redirect("game", slug)


def refuse(request: HttpRequest, slug: str, error: GameError, look: Look | None = None) -> HttpResponse:
    """Answer with the game and what there is to say about an error."""
    return with_headers(show(request, slug, status=error.status, error=error, look=look), error)


def show(
    request: HttpRequest, slug: str, status: int = 200, error: GameError | None = None, look: Look | None = None
) -> HttpResponse:
    """Render the game for whoever asks: the whole page, or the part that changes where htmx asks."""
    page = queries.play_page(request.user, slug, token_of(request), look=look or look_of(request))
    whole = "games/spoken/page.html" if page.is_spoken else "games/play/page.html"
    return render_page(request, page, FRAGMENT if getattr(request, "htmx", False) else whole, status, error)


def render_page(
    request: HttpRequest,
    page: queries.GamePage,
    template: str,
    status: int = 200,
    error: GameError | None = None,
) -> HttpResponse:
    """Render a game with what there is to say about an error."""
    notice = notice_of(error, page.variant) if error else None
    return render(request, template, {"page": page, "notice": notice}, status=status)


def token_of(request: HttpRequest) -> str:
    """Return the secret of the link that led here, if one did."""
    return request.GET.get("token", "")[:64]


def named(request: HttpRequest, what: str) -> dict[str, Any]:
    """Return the version the page showed, and the request's name: the page's key, else one made of what it asks for."""
    version, user = version_in(request), person(request)
    made = hashlib.blake2s(f"{user.pk} {version} {what}".encode("utf-8", "replace"), digest_size=16).hexdigest()
    return {"version": version, "key": request.POST.get("key") or made}


def version_in(request: HttpRequest) -> int:
    """Return the version of the game that the page showed.

    Raises:
        BadRequest: the request tells none; `field` is version.

    """
    text = request.POST.get("version", "")
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise BadRequest(_("This page sent no version of the game. Reload it and try again."), field="version")
    return int(text)
