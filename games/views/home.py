"""The first page, and the one tap that starts a game against bots."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts import limits
from accounts.guests import ensure_player
from games.actions.create_game import create_game
from games.queries.boards import board_choices
from games.queries.home import featured
from games.setup import GameSetup, SeatSetup

GAMES_AN_HOUR = 20
VARIANT = "blockyou-4"


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show what this is, and what there is to play on."""
    return render(request, "games/home/page.html", {"featured": featured(), "boards": board_choices(VARIANT)})


@require_POST
def play_bots_now(request: HttpRequest) -> HttpResponse:
    """Start a game of four against three bots, for a guest made on the spot if need be."""
    limits.take(f"play-bots:{limits.client(request)}", GAMES_AN_HOUR, 3600)
    bots = (SeatSetup(kind="bot", bot="greedy"),) * 3
    setup = GameSetup(variant=VARIANT, seats=(SeatSetup(kind="me"), *bots), is_public=False)
    return redirect("game", create_game(ensure_player(request), setup).slug)
