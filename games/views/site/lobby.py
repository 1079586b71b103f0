"""The lobby."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.models import User
from games.base.apart import apart_from
from games.pages.lists.challenges import challenges_of
from games.pages.lists.paging import page_number
from games.pages.people.seeks import may_seek, seek_rows
from games.pages.site.home import example_game
from games.pages.site.lobby import games_beside, lobby_page
from games.queries.site.versions import lobby_version
from games.views.lists import is_elsewhere, way_without


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """Show the open tables, and on the first page running games and the last that ended; htmx gets the lists alone.

    Beside them stands whom the reader may challenge.
    """
    # Read before the list: what changes in between is then announced, not missed.
    version = lobby_version()
    number = page_number(request.GET.get("page", ""))
    apart = apart_from(request.user)
    page = lobby_page(request.user, apart, number)
    if is_elsewhere(request, page.number):
        return way_without(request, "page")
    template = "games/lobby/_list.html" if getattr(request, "htmx", False) else "games/lobby/page.html"
    watch, ended = games_beside(request.user, apart) if number == 1 else ((), ())
    context = {"page": page, "watch": watch, "ended": ended, "version": version}
    if number == 1 and not getattr(request, "htmx", False):
        user = request.user if isinstance(request.user, User) else None
        context |= {"origin": "lobby", "has_seeks": may_seek(user)}
        # Nobody's games are public yet: a game of bots is there to be watched.
        context["example"] = None if watch or ended else example_game()
        context["seeks"] = seek_rows(user, timezone.now()) if user is not None and may_seek(user) else ()
        context["challenges"] = challenges_of(user, apart, request.COOKIES.get(settings.STRENGTH_COOKIE_NAME, ""))
    return render(request, template, context)
