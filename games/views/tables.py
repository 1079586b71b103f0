"""What people do at a table before the game, and the rematch after it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.doors import person
from accounts.guests import ensure_player
from games import access
from games.actions.cancel_game import cancel_game
from games.actions.decline_invitation import decline_invitation
from games.actions.join_game import join_game
from games.actions.leave_game import leave_game
from games.actions.rematch import rematch as open_rematch
from games.forms.seats import seat_number


@require_POST
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a seat, as a guest made on the spot if need be."""
    token = request.POST.get("token", "")
    # A look through the door first: no guest is made for a table that is not there.
    access.game_to_view(request.user, slug, token)
    game = join_game(ensure_player(request), slug, seat=seat_number(request.POST.get("seat", "")), token=token)
    return redirect("game", game.slug)


@require_POST
@login_required
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Empty one's seat."""
    leave_game(person(request), slug)
    messages.success(request, _("You have left the table."))
    return redirect("my-games")


@require_POST
@login_required
def cancel(request: HttpRequest, slug: str) -> HttpResponse:
    """Give one's table up."""
    cancel_game(person(request), slug)
    messages.success(request, _("The table is cancelled."))
    return redirect("my-games")


@require_POST
@login_required
def decline(request: HttpRequest, slug: str) -> HttpResponse:
    """Say no to an invitation."""
    decline_invitation(person(request), slug)
    messages.success(request, _("You have declined the invitation."))
    return redirect("my-games")


@require_POST
@login_required
def rematch(request: HttpRequest, slug: str) -> HttpResponse:
    """Open the table that follows this game, or sit down at it."""
    return redirect("game", open_rematch(person(request), slug).slug)
