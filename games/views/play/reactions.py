"""What players say of a placement by a mark: the page of one, and the buttons beside the board."""

from functools import partial

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.doors import person
from accounts.limits import LimitReached, client
from accounts.models import User
from games.actions.talk.drop_reaction import drop_reaction
from games.actions.talk.give_reaction import give_reaction
from games.errors import GameError, NotFound, TooMany
from games.pages.talk.reactions import reaction_page
from games.table.counting import count_line
from games.views.errors import with_headers
from games.views.play.play import act
from games.views.play.talk import TOO_FAST


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def reaction(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show what is said of a placement; a POST says something of it, or takes that back if no word is sent along.

    Beside the board, where htmx asks, the answer is the game.
    """
    react = partial(_react, request, slug, number)
    if request.method != "POST":
        return _page(request, slug, number)
    if getattr(request, "htmx", False):
        return act(request, slug, react)
    try:
        react(person(request))
    except NotFound:
        raise
    except GameError as refusal:
        return with_headers(_page(request, slug, number, refusal), refusal)
    return redirect(request.path)


def _react(request: HttpRequest, slug: str, number: int, user: User) -> None:
    word, placement = request.POST.get("reaction", ""), request.GET.get("placed", "")
    try:
        count_line(user, address=client(request))
    except LimitReached as reached:
        raise TooMany(TOO_FAST, retry_after=reached.retry_after) from reached
    if word:
        give_reaction(user, slug, number=number, word=word, placement=placement)
    else:
        drop_reaction(user, slug, number=number)


def _page(request: HttpRequest, slug: str, number: int, refusal: GameError | None = None) -> HttpResponse:
    page = reaction_page(person(request), slug, number)
    context = {"page": page, "refusal": refusal}
    return render(request, "games/reactions/page.html", context, status=refusal.status if refusal else 200)
