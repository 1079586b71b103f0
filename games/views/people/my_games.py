"""The games of the person who asks."""

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.doors import person
from games.pages.lists.challenges import challenges
from games.pages.lists.game_pages import cursor_in
from games.pages.lists.paging import ListPage, page_number
from games.pages.people.my_games import TITLES, my_games_page, my_section
from games.pages.people.seeks import may_seek, seek_rows
from games.queries.people.going import count_waiting
from games.queries.site.versions import lists_version
from games.values import ScoreOfTwo
from games.views.lists import is_elsewhere, way_without
from games.views.offline import readable_offline


@require_safe
@login_required
def my_games(request: HttpRequest) -> HttpResponse:
    """Show all sections, or one of them in pages; htmx gets the lists alone."""
    section, user = request.GET.get("show", ""), person(request)
    if section and section not in TITLES:
        return way_without(request, "show")
    page = page_number(request.GET.get("page", ""))
    # Read before the lists: what changes in between is then announced, not missed.
    version = lists_version(user.pk)
    found = my_section(user, section, page, cursor_in(request.GET)) if section else my_games_page(user)
    if isinstance(found.page, ListPage) and is_elsewhere(request, found.page.number):
        return way_without(request, "page")
    is_htmx = getattr(request, "htmx", False)
    context = {"games": found, "show": section, "version": version}
    if not section and not is_htmx:
        met = [(each, found.scores.get(each.pk, ScoreOfTwo())) for each in found.people]
        context |= {"origin": "my-games", "has_seeks": may_seek(user)}
        context["seeks"] = seek_rows(user, timezone.now()) if may_seek(user) else ()
        context["challenges"] = challenges(met, request.COOKIES.get(settings.STRENGTH_COOKIE_NAME, ""))
    return readable_offline(request, render(request, f"games/my_games/{'_lists' if is_htmx else 'page'}.html", context))


@require_safe
@login_required
def waiting(request: HttpRequest) -> HttpResponse:
    """Return the badges that say how many games wait for the person who asks, and how many notices are unread."""
    user = person(request)
    context = {"waiting": count_waiting(user), "unread": user.unread_notices}
    return render(request, "games/notices/_waiting.html", context)
