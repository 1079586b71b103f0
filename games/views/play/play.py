"""The play page, the fragment that keeps it up to date, and the moves made on it."""

import hashlib
from collections.abc import Callable
from typing import TypedDict
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.doors import person
from accounts.models import User
from games.actions.moves.catch_up import catch_up
from games.actions.moves.come_back import come_back as _come_back
from games.actions.moves.pass_turn import pass_turn as _pass_turn
from games.actions.moves.play_placement import play_placement as _play_placement
from games.actions.moves.resign import resign as _resign
from games.actions.notices.read_notices import read_notices
from games.actions.pauses.pause_game import pause_game as _pause_game
from games.actions.pauses.resume_game import resume_game as _resume_game
from games.actions.pauses.step_game import step_game as _step_game
from games.actions.people.reopen_game import reopen_game
from games.base import access
from games.base.tags import is_known_tag
from games.errors import BadRequest, GameError, NotFound
from games.pages.board.placements import placements_page
from games.pages.board.refusal import notice_view
from games.pages.board.view_request import ViewRequest
from games.pages.play.page import (
    NOBODY,
    GamePage,
    PlayPage,
    changed_page,
    play_page,
    played_page,
    tag_for_everybody,
)
from games.table.lifecycle import Outcome
from games.views.crowds.shared_parts import SharedPart, draw_for_nobody, parts, site_of
from games.views.errors import with_headers
from games.views.offline import readable_offline
from games.views.view_request import remember_hand, view_request_of

FRAGMENT = "games/play/fragment.html"


@require_safe
def game(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a game: the table while it waits for players, the board from then on. What it tells is read with it."""
    page = readable_offline(request, show(request, slug))
    if request.method == "GET" and isinstance(request.user, User):
        read_notices(request.user, now=timezone.now(), slug=slug)
    return page


@require_safe
def board(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the part of the page that changes; 304 where the page has it already.

    All who watch a game of everybody's without a login get the same: it is drawn once for them (`shared_parts`).
    """
    known, asked = request.headers.get("If-None-Match", ""), view_request_of(request, slug)
    response = board_of_everybody(request, slug, known, asked)
    if response is None:
        page = changed_page(request.user, slug, link_token(request), known, view_request=asked)
        if isinstance(page, str):
            response = _unchanged(page)
        else:
            response = render_page(request, page, FRAGMENT)
            response["ETag"] = page.tag
    response["Cache-Control"] = "private, no-cache"
    return response


def board_of_everybody(request: HttpRequest, slug: str, known: str, asked: ViewRequest) -> HttpResponse | None:
    """Return the changing part for somebody without a login; None where it is not everybody's.

    Whether everybody may see the game is asked each time, also of a part that is there.
    """
    is_plain = asked == ViewRequest(may_offer=asked.may_offer, since=asked.since)
    if not is_plain or link_token(request) or request.user.is_authenticated:
        return None
    tag = tag_for_everybody(slug, asked)
    if tag is None:
        return None
    if is_known_tag(known, tag):
        return _unchanged(tag)

    def draw() -> SharedPart | None:
        page = changed_page(NOBODY, slug, "", "", view_request=asked)
        if isinstance(page, str):
            return None
        return draw_for_nobody(request, FRAGMENT, page.tag, page=page, notice=None)

    part = parts.get((tag, asked.since, site_of(request)), draw)
    if part is None:
        return None
    response = part.answer(request)
    response["ETag"] = part.tag
    return response


def _unchanged(tag: str) -> HttpResponse:
    return HttpResponseNotModified(headers={"ETag": tag})


@require_safe
@login_required
def placements(request: HttpRequest, slug: str) -> HttpResponse:
    """List every legal placement, each as a button of its own: to move without JavaScript or by reading."""
    page = placements_page(person(request), slug, request.GET.get("piece", ""))
    return render(request, "games/play/placements.html", {"page": page})


@require_POST
@login_required
def play_placement(request: HttpRequest, slug: str) -> HttpResponse:
    """Place a piece."""
    text = request.POST.get("placement", "")
    return act(request, slug, lambda user: _play_placement(user, slug, placement=text, **move_request(request, text)))


@require_POST
@login_required
def pass_turn(request: HttpRequest, slug: str) -> HttpResponse:
    """Pass for a colour that has no place left."""
    return act(request, slug, lambda user: _pass_turn(user, slug, **move_request(request, "pass")))


@require_POST
@login_required
def resign(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the game up; at one device for the player who was to play as the page showed it."""
    number = number_in(request.POST.get("number", ""))
    return act(request, slug, lambda user: _resign(user, slug, number=number))


@require_POST
@login_required
def take_device(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a game on one device to the player who has it now, until another of those there has moved."""
    access.check_at_device(person(request), slug)
    remember_hand(request, slug, due_in(request))
    return redirect("game", slug)


@require_POST
@login_required
def come_back(request: HttpRequest, slug: str) -> HttpResponse:
    """Play on where a bot has taken the turns of the person who asks."""
    return act(request, slug, lambda user: _come_back(user, slug))


@require_POST
@login_required
def pause_game(request: HttpRequest, slug: str) -> HttpResponse:
    """Pause the game between bots."""
    return act(request, slug, lambda user: _pause_game(user, slug, pause_version=pause_in(request)))


@require_POST
@login_required
def resume_game(request: HttpRequest, slug: str) -> HttpResponse:
    """Resume the game between bots."""
    return act(request, slug, lambda user: _resume_game(user, slug, pause_version=pause_in(request)))


@require_POST
@login_required
def step_game(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for one move of the bots that wait."""
    answer = act(
        request,
        slug,
        lambda user: _step_game(user, slug, number=due_in(request), pause_version=pause_in(request)),
    )
    if "Location" in answer:
        # What is being waited for stands in the address, for a page that cannot remember it.
        answer["Location"] += "?" + urlencode({"pause": pause_in(request), "number": due_in(request)})
    return answer


def number_in(text: str) -> int | None:
    """Return the number of a move that is asked for, None for none or nonsense."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else None


def act(
    request: HttpRequest, slug: str, action: Callable[[User], object], view_request: ViewRequest | None = None
) -> HttpResponse:
    """Do it and answer with the game as it is then; refused, with the sentence that says why."""
    try:
        done = action(person(request))
    except NotFound:
        raise
    except GameError as error:
        return refuse(request, slug, error, view_request)
    if not getattr(request, "htmx", False):
        return redirect("game", slug)
    page = None
    if isinstance(done, Outcome):
        page = played_page(done, request.user, link_token(request), view_request_of(request, slug))
    return render_page(request, page, FRAGMENT) if page else show(request, slug)


def refuse(request: HttpRequest, slug: str, error: GameError, view_request: ViewRequest | None = None) -> HttpResponse:
    """Answer with the game and what there is to say about an error."""
    return with_headers(show(request, slug, status=error.status, error=error, view_request=view_request), error)


def show(
    request: HttpRequest,
    slug: str,
    status: int = 200,
    error: GameError | None = None,
    view_request: ViewRequest | None = None,
) -> HttpResponse:
    """Render the game for the person who asks: the whole page, or the part that changes where htmx asks."""
    page = play_page(
        request.user, slug, link_token(request), view_request=view_request or view_request_of(request, slug)
    )
    if isinstance(page, PlayPage) and page.is_left_alone:
        reopen_game(person(request), slug)
    if error is None and (before := _shown_before(request, page)):
        return redirect(before)
    whole = "games/spoken/page.html" if page.is_spoken else "games/play/page.html"
    return render_page(request, page, FRAGMENT if getattr(request, "htmx", False) else whole, status, error)


def _shown_before(request: HttpRequest, page: GamePage) -> str:
    """Return the address of what a player is shown before the board who opens a game after days, once; else empty."""
    is_opened = request.method == "GET" and not request.GET and not getattr(request, "htmx", False)
    recent = page.recent if is_opened and isinstance(page, PlayPage) else None
    if recent is None or recent.own is None:
        return ""
    is_first = catch_up(person(request), page.game.slug, own=recent.own, last=recent.own + recent.count)
    return recent.address if is_first else ""


def render_page(
    request: HttpRequest,
    page: GamePage,
    template: str,
    status: int = 200,
    error: GameError | None = None,
) -> HttpResponse:
    """Render a game with what there is to say about an error."""
    notice = notice_view(error, page.game.variant) if error else None
    return render(request, template, {"page": page, "notice": notice}, status=status)


def link_token(request: HttpRequest) -> str:
    """Return the secret of the link that led here, if one did."""
    return request.GET.get("token", "")[:64]


class MoveRequest(TypedDict):
    """What a request for a move carries besides the move: the number of the move due, and the request's own key."""

    number: int
    key: str


def move_request(request: HttpRequest, what: str) -> MoveRequest:
    """Return the number of the move that a request is for, and its key: the page's, else one made of what is asked."""
    number, user = due_in(request), person(request)
    made = hashlib.blake2s(f"{user.pk} {number} {what}".encode("utf-8", "replace"), digest_size=16).hexdigest()
    return {"number": number, "key": request.POST.get("key") or made}


def due_in(request: HttpRequest) -> int:
    """Return the number of the move that the page showed to be due.

    Raises:
        BadRequest: the request has no such number; `field` is number.

    """
    number = number_in(request.POST.get("number", ""))
    if number is None:
        raise BadRequest(_("This page sent an incomplete request. Reload it and try again."), field="number")
    return number


def pause_in(request: HttpRequest) -> int:
    """Return the version at which the bots were last paused or resumed, as the page showed it.

    Raises:
        BadRequest: the request tells none; `field` is pause.

    """
    text = request.POST.get("pause", "")
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise BadRequest(_("This page sent an incomplete request. Reload it and try again."), field="pause")
    return int(text)
