"""The first page, and the one tap that starts a game against bots."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.guests import ensure_player
from accounts.models import User
from games.actions.tables.create_game import create_game
from games.base.apart import apart_from
from games.base.setup import GameSetup, SeatSetup
from games.forms.presets import usual_strength
from games.forms.strength import StrengthForm
from games.pages.children.home import child_home
from games.pages.guide.choices import board_choices
from games.pages.site.home import featured
from games.pages.site.lobby import games_to_watch
from games.pages.waiting.create import last_choice
from games.table.counting import count_table
from games.words import ladder

VARIANT, DUEL = "blockyou-4", "blockyou-2"
#: How many running games the first page shows.
HOME_GAMES = 4


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show what the game is, and the boards to play on; to a child, with whom it can play."""
    if isinstance(request.user, User) and request.user.is_child:
        page = child_home(request.user, _usual(request))
        return render(request, "games/children/home.html", {"page": page})
    apart = apart_from(request.user)
    context = {
        "featured": featured(apart),
        "watch": games_to_watch(request.user, apart, most=HOME_GAMES),
        "boards": board_choices(VARIANT),
        "strength": StrengthForm.of(_usual(request)),
        "has_ratings": settings.RATINGS,
    }
    return render(request, "games/home/page.html", context)


@require_POST
def play_bots_now(request: HttpRequest) -> HttpResponse:
    """Start a game of four against three bots, for a guest made on the spot if need be; one of two against a `bot`.

    The bots are as strong as was asked for, now or the last time.
    """
    rung = ladder.rung_of(request.POST.get("strength") or _usual(request))
    one = ladder.bot_named(request.POST.get("bot", ""))
    bots = (SeatSetup(kind="bot", bot=name) for name in ([one] if one else rung.bots_for(3)))
    setup = GameSetup(variant=DUEL if one else VARIANT, seats=(SeatSetup(kind="me"), *bots), is_public=False)
    user = ensure_player(request)
    count_table(user)
    answer = redirect("game", create_game(user, setup).slug)
    if "strength" in request.POST:
        _remember(answer, rung)
    return answer


def _usual(request: HttpRequest) -> str:
    """Return the level that the page of a new game begins with too."""
    return usual_strength(last_choice(request.user), request.COOKIES.get(settings.STRENGTH_COOKIE_NAME, ""))


def _remember(answer: HttpResponse, rung: ladder.Rung) -> None:
    age, is_secure = settings.SESSION_COOKIE_AGE, settings.IS_HTTPS
    name = settings.STRENGTH_COOKIE_NAME
    answer.set_cookie(name, rung.key, max_age=age, secure=is_secure, httponly=True, samesite="Lax")
