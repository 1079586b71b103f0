"""What people do at a table before the game, and the rematch after it."""

from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from accounts.doors import person
from accounts.forms.own import name_guest
from accounts.guests import ensure_player
from accounts.limits import client
from games.actions.tables.cancel_game import cancel_game as _cancel_game
from games.actions.tables.choose_seat import choose_seat as _choose_seat
from games.actions.tables.decline_invitation import decline_invitation as _decline_invitation
from games.actions.tables.join_game import join_game as _join_game
from games.actions.tables.leave_game import leave_game as _leave_game
from games.actions.tables.open_rematch import open_rematch as _open_rematch
from games.actions.tables.repeat_table import TableAgain
from games.actions.tables.repeat_table import repeat_table as _repeat_table
from games.base import access
from games.errors import BadRequest, GameError, SeatTaken
from games.forms.seats import seat_number
from games.pages.board.refusal import notice_view
from games.pages.waiting.invitation import invitation_page
from games.table.counting import count_choice, count_table
from games.views.errors import with_headers
from games.views.play import play

#: So much of a refused name is shown again; an address has no room for more.
MAX_SHOWN = 40


@require_POST
def join_game(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a seat, as a guest made on the spot if need be."""
    token = request.POST.get("token", "")
    # A look through the door first: no guest is made for a table that is not there.
    access.game_to_view(request.user, slug, token)
    is_new = not request.user.is_authenticated
    user = ensure_player(request)
    name = request.POST.get("name")
    refused = name_guest(user, name) if name and user.is_guest else ""
    seat, colour = seat_number(request.POST.get("seat", "")), request.POST.get("colour", "")
    try:
        game = _join_game(user, slug, seat=seat, colour=colour, token=token)
    except (SeatTaken, BadRequest) as error:
        if not colour:
            raise
        return _ask_again(request, slug, token, error)
    return way_to_table(game.slug, is_new=is_new and name is None, refused=refused)


def _ask_again(request: HttpRequest, slug: str, token: str, error: GameError) -> HttpResponse:
    """Show the table as it is now, with what there is to choose and why the choice was refused."""
    if not token:
        return play.refuse(request, slug, error)
    table = invitation_page(request.user, token)
    found = {"table": table, "notice": notice_view(error, table.state.game.variant)}
    return with_headers(render(request, "games/invitation/page.html", found, status=error.status), error)


@require_POST
@login_required
def choose_seat(request: HttpRequest, slug: str) -> HttpResponse:
    """Take another seat, with its colours; a choice that is refused is asked for again."""
    count_choice(person(request), client(request))
    try:
        _choose_seat(person(request), slug, colour=request.POST.get("colour", ""))
    except (SeatTaken, BadRequest) as error:
        return play.refuse(request, slug, error)
    return redirect("game", slug)


def way_to_table(slug: str, *, is_new: bool, refused: str = "") -> HttpResponse:
    """Return the way to a game; a new guest, or one whose name was refused, is asked for a name on the way."""
    return way_to("game", slug, is_new=is_new, refused=refused)


def way_to(page: str, slug: str, *, is_new: bool, refused: str = "") -> HttpResponse:
    """Return the way to a page, by its name and what it is about, as to a game."""
    if not (is_new or refused):
        return redirect(page, slug)
    asked = {"next": reverse(page, args=[slug])} | ({"name": refused[:MAX_SHOWN]} if refused else {})
    return redirect(f"{reverse('own-name')}?{urlencode(asked)}")


@require_POST
@login_required
def leave_game(request: HttpRequest, slug: str) -> HttpResponse:
    """Empty one's seat."""
    _leave_game(person(request), slug)
    messages.success(request, _("You have left the table."))
    return redirect("my-games")


@require_POST
@login_required
def cancel_game(request: HttpRequest, slug: str) -> HttpResponse:
    """Give one's table up."""
    _cancel_game(person(request), slug)
    messages.success(request, _("The table has been cancelled."))
    return redirect("my-games")


@require_POST
@login_required
def decline_invitation(request: HttpRequest, slug: str) -> HttpResponse:
    """Say no to an invitation."""
    _decline_invitation(person(request), slug)
    messages.success(request, _("You have declined the invitation."))
    return redirect("my-games")


@require_POST
@login_required
def open_rematch(request: HttpRequest, slug: str) -> HttpResponse:
    """Open the table that follows this game, with the same seats or each player one further, or sit down at it."""
    rotates = request.POST.get("seats") == "rotated"
    count_table(person(request))
    return redirect("game", _open_rematch(person(request), slug, rotates=rotates).slug)


@require_POST
@login_required
def repeat_table(request: HttpRequest, slug: str) -> HttpResponse:
    """Open a table for the people of this game, or sit down at the one that waits for them."""
    user = person(request)
    count_table(user)
    return way_to_repeated(request, _repeat_table(user, slug))


def way_to_repeated(request: HttpRequest, repeated: TableAgain) -> HttpResponse:
    """Return the way to the table, which says who could not be invited to it."""
    for refused in repeated.refused:
        messages.warning(request, str(refused.sentence))
    if repeated.gone:
        sentence = ngettext(
            "%(n)d player has closed their account. Anyone with the link can take that seat.",
            "%(n)d players have closed their accounts. Anyone with the link can take those seats.",
            repeated.gone,
        )
        messages.warning(request, sentence % {"n": repeated.gone})
    return redirect("game", repeated.game.slug)
