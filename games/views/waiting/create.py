"""Open a table."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from accounts.guests import ensure_player
from accounts.limits import client
from games.actions.tables.create_game import create_game
from games.base.setup import GameSetup
from games.errors import BadRequest, InvitationRefused
from games.forms.presets import (
    AGAIN,
    ANYONE,
    again_preset,
    board_asked,
    preset_setup,
    presets,
    usual_strength,
    waits,
)
from games.forms.table import NewGameForm
from games.pages.groups.pages import named_group, named_groups
from games.pages.waiting.create import LastTable, asked_of_group, companions, last_choice, last_table
from games.table.counting import count_listed, count_table
from games.views.waiting.start import seated_soon


@require_http_methods(["GET", "HEAD", "POST"])
def new_game(request: HttpRequest) -> HttpResponse:
    """Show what can be opened, or open the table that a preset or the form describes, for a new guest if need be.

    A button that chooses a variant leads to the form for it, filled in as far as this one was.
    """
    if "preset" in request.POST:
        return _open_preset(request, request.POST["preset"])
    if request.method == "POST":
        return _open(request, NewGameForm(request.POST, asked=request.GET))
    table = last_table(request.user)
    last = table.asked
    strength = usual_strength(last, _strength(request))
    asked = asked_of_group(last, group) if set(request.GET) == {"group"} and (group := request.GET["group"]) else None
    return _show(request, NewGameForm(asked=asked or request.GET or last, strength=strength), table)


def _open_preset(request: HttpRequest, key: str) -> HttpResponse:
    if key == AGAIN:
        table = last_table(request.user)
        # What cannot be opened any more is shown, to be changed.
        return _open(request, NewGameForm.unchanged(table.again)) if table.again else redirect("new-game")
    last = last_choice(request.user) | board_asked(request.POST.get("board", ""))
    setup = preset_setup(key, last, _strength(request), request.POST.get("fill_after", ""))
    if key == ANYONE and setup.filled_in and (answer := seated_soon(request, setup)):
        return answer
    return _opened(request, setup)


def _open(request: HttpRequest, form: NewGameForm) -> HttpResponse:
    if "show" in request.POST:
        return redirect(f"{reverse('new-game')}?{form.as_asked(request.POST['show'])}#variant")
    if form.is_valid():
        try:
            return _opened(request, form.setup(), form.cleaned_data["group"])
        except (BadRequest, InvitationRefused) as error:
            form.refuse(error)
    return _show(request, form, last_table(request.user))


def _opened(request: HttpRequest, setup: GameSetup, group: str = "") -> HttpResponse:
    user = ensure_player(request)
    count_table(user, setup)
    count_listed(user, setup, client(request))
    return redirect("game", create_game(user, setup, group=group).slug)


def _show(request: HttpRequest, form: NewGameForm, last: LastTable) -> HttpResponse:
    asked = board_asked(request.GET.get("variant", ""))
    found = {
        "form": form,
        # Of a board that is asked for there may have been no table.
        "presets": [*([] if asked else again_preset(last)), *presets({**last.asked, **asked}, _strength(request))],
        "board": asked.get("variant", ""),
        "waits": waits(),
        "companions": companions(request.user),
        "group": named_group(request.user, group)
        if (group := request.POST.get("group") or request.GET.get("group"))
        else None,
        "groups": named_groups(request.user),
        "is_customised": bool(request.GET or form.is_bound),
    }
    return render(request, "games/create/page.html", found, status=422 if form.errors else 200)


def _strength(request: HttpRequest) -> str:
    return request.COOKIES.get(settings.STRENGTH_COOKIE_NAME, "")
