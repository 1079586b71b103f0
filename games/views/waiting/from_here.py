"""Play from here: a new game at a position of a finished game or of a study."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.guests import ensure_player
from accounts.limits import client
from games.actions.tables.create_game import create_game
from games.errors import BadRequest, WrongStatus
from games.forms.from_here import FromHereForm
from games.pages.waiting.from_here import FromHerePage, from_game_page, from_study_page
from games.table.counting import count_listed, count_table
from games.views.errors import answer
from games.views.play.play import number_in

#: Why no game can begin at a position, though the page is what it was asked for.
NOT_HERE = {"nothing-given", "nothing-to-play", "player-left", "running-game", "set-up", "set-up-unknown"}


@require_http_methods(["GET", "HEAD", "POST"])
def play_from_game(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a position of a finished game, or open a table at which a new game begins there."""
    asked = request.POST if request.method == "POST" else request.GET
    after, node, token = number_in(asked.get("move", "")), number_in(asked.get("node", "")) or 0, asked.get("token", "")
    return _begin(request, lambda: from_game_page(request.user, slug, after, node, token[:64]))


@require_http_methods(["GET", "HEAD", "POST"])
def play_from_study(request: HttpRequest, study: str) -> HttpResponse:
    """Show a position of a study, or open a table at which a new game begins there."""
    asked = request.POST if request.method == "POST" else request.GET
    after, branch = number_in(asked.get("move", "")), number_in(asked.get("branch", "")) or 0
    return _begin(request, lambda: from_study_page(request.user, study, after, branch))


def _begin(request: HttpRequest, find: Callable[[], FromHerePage]) -> HttpResponse:
    try:
        page = find()
    except WrongStatus as error:
        if error.code not in NOT_HERE:
            raise
        return answer(request, error, heading=_("No game can begin here"))
    if request.method != "POST":
        return _show(request, FromHereForm(page, strength=request.COOKIES.get(settings.STRENGTH_COOKIE_NAME, "")))
    form = FromHereForm(page, request.POST)
    if form.is_valid():
        # Only now: no guest is made for a table that is not opened.
        user, setup = ensure_player(request), form.setup()
        count_table(user, setup)
        count_listed(user, setup, client(request))
        try:
            return redirect("game", create_game(user, setup, given=page.given).slug)
        except BadRequest as error:
            form.refuse(error)
    return _show(request, form)


def _show(request: HttpRequest, form: FromHereForm) -> HttpResponse:
    found = {"page": form.page, "form": form}
    return render(request, "games/from_here/page.html", found, status=422 if form.errors else 200)
