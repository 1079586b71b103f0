"""Two of the doors of the first page: a friend by link, and anyone. The third is `games.views.site.home`."""

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from accounts.guests import ensure_player
from accounts.limits import client
from accounts.models import User
from games.actions.tables.create_game import create_game
from games.actions.tables.join_game import join_game
from games.base.setup import GameSetup, SeatSetup
from games.errors import NotFound, NotSeated, SeatTaken, WrongStatus
from games.forms.presets import ANYONE, FRIEND, preset_setup
from games.pages.waiting.create import last_choice
from games.queries.tables.pairing import alike, own_open_table, tables_to_join
from games.table.counting import count_listed, count_table
from games.views.waiting.tables import way_to_table

#: What an open table may be for a player to be seated at it unasked, besides the board they chose last.
JOINED = ("blockyou-2", "blockyou-3", "blockyou-4")
#: Why a table is none for somebody, though others may sit down there: by the codes of `NotSeated`.
NOT_FOR_ALL = {"same-person", "unreliable"}


@require_POST
def play_friend_now(request: HttpRequest) -> HttpResponse:
    """Open the table for a friend that the page of a new game offers, for a new guest if need be, and show its link.

    Where more `players` are asked for, it is one for as many. A `companion` by name is invited instead.
    """
    players, companion = request.POST.get("players"), request.POST.get("companion")
    setup = preset_setup(f"friends-{players}" if players else FRIEND, last_choice(request.user), "")
    if companion:
        setup = replace(setup, seats=(setup.seats[0], SeatSetup(kind="named", username=companion)))
    user = ensure_player(request)
    count_table(user)
    return redirect("game", create_game(user, setup).slug)


@require_POST
def play_anyone_now(request: HttpRequest) -> HttpResponse:
    """Join an open table; where there is none, open one that anyone may join, unless one is open already."""
    setup = preset_setup(ANYONE, last_choice(request.user), "")
    variants = {*JOINED, *alike(setup.variant)}
    tables = tables_to_join(request.user, variants, timezone.now())
    is_new = not request.user.is_authenticated
    user = ensure_player(request)
    count_table(user)
    slug = _joined(user, tables)
    if slug:
        return way_to_table(slug, is_new=is_new)
    own = own_open_table(user, variants)
    if not own:
        count_listed(user, setup, client(request))
    return redirect("game", own or create_game(user, setup).slug)


def seated_soon(request: HttpRequest, setup: GameSetup) -> HttpResponse | None:
    """Seat the reader at a table as they want it, which bots fill no later than one opened now; None without any.

    So people who look at the same time sit together, and whoever joins waits no longer than they chose.
    """
    now = timezone.now()
    tables = tables_to_join(request.user, alike(setup.variant), now, filled_by=now + setup.filled_in)
    if not tables:
        return None
    is_new = not request.user.is_authenticated
    user = ensure_player(request)
    count_table(user)
    slug = _joined(user, tables)
    return way_to_table(slug, is_new=is_new) if slug else None


def _joined(user: User, tables: tuple[str, ...]) -> str:
    """Return the first of these tables at which a seat was still free, now taken by the user; "" for none."""
    for slug in tables:
        try:
            return join_game(user, slug).slug
        except (NotFound, SeatTaken, WrongStatus):
            continue
        except NotSeated as error:
            if error.code not in NOT_FOR_ALL:
                raise
    return ""
