"""Play with others on one device."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.guests import ensure_player
from accounts.models import User
from games.actions.tables.create_game import create_game
from games.base.setup import check_setup
from games.errors import BadRequest
from games.forms.one_device import OneDeviceForm
from games.forms.presets import usual_strength
from games.pages.waiting.create import last_choice
from games.table.counting import count_table
from games.views.view_request import remember_hand

#: The number of the first turn, which is that of whoever fills in the form.
FIRST_TURN = 1


@require_http_methods(["GET", "HEAD", "POST"])
def one_device(request: HttpRequest) -> HttpResponse:
    """Ask who plays on this device, or begin the game, for a new guest if need be; its host plays first."""
    strength = usual_strength(last_choice(request.user), request.COOKIES.get(settings.STRENGTH_COOKIE_NAME, ""))
    if request.method != "POST":
        return _show(request, OneDeviceForm(own_name=_own_name(request), strength=strength))
    form = OneDeviceForm(request.POST, strength=strength)
    if form.is_valid():
        setup = form.setup()
        try:
            check_setup(setup)
        except BadRequest as error:
            form.refuse(error)
        else:
            # Only now: no guest is made for a game that does not begin.
            user = ensure_player(request)
            count_table(user, setup)
            game = create_game(user, setup, is_tapped=True)
            remember_hand(request, game.slug, FIRST_TURN)
            return redirect("game", game.slug)
    return _show(request, form)


def _own_name(request: HttpRequest) -> str:
    """Return what a member is called; a guest has no name to be known by at the table."""
    user = request.user
    return user.username if isinstance(user, User) and not user.is_guest else ""


def _show(request: HttpRequest, form: OneDeviceForm) -> HttpResponse:
    return render(request, "games/one_device/page.html", {"form": form}, status=422 if form.errors else 200)
