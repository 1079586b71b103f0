"""Moves taken back: asked for, agreed to, declined."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from accounts.doors import person
from accounts.limits import client
from accounts.models import User
from games.actions.takebacks.agree_to_takeback import agree_to_takeback as _agree_to_takeback
from games.actions.takebacks.ask_for_takeback import ask_for_takeback as _ask_for_takeback
from games.actions.takebacks.drop_takeback_request import drop_takeback_request as _drop_takeback_request
from games.queries.tables.turns import next_number
from games.table.counting import count_takeback
from games.views.play.pauses import request_in
from games.views.play.play import act, due_in
from games.views.view_request import remember_hand


@require_POST
@login_required
def ask_for_takeback(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a move back, or ask the others to agree to it."""
    count_takeback(person(request), client(request))

    def ask(user: User) -> object:
        game = _ask_for_takeback(user, slug, number=due_in(request), alone=request.POST.get("alone") == "yes")
        if game.is_on_one_device and "stays" in request.POST:
            # Whoever moved last has not handed the device on yet.
            remember_hand(request, slug, next_number(game))
        return game

    return act(request, slug, ask)


@require_POST
@login_required
def agree_to_takeback(request: HttpRequest, slug: str) -> HttpResponse:
    """Agree that another player takes a move back."""
    return act(request, slug, lambda user: _agree_to_takeback(user, slug, request=request_in(request)))


@require_POST
@login_required
def drop_takeback_request(request: HttpRequest, slug: str) -> HttpResponse:
    """Withdraw the request to take a move back, or decline it."""
    return act(request, slug, lambda user: _drop_takeback_request(user, slug, request=request_in(request)))
