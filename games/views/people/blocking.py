"""People whom a person does not want to meet or to read: blocked and muted on their pages, listed on one's own."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.doors import person
from accounts.limits import client
from accounts.models import User
from games.actions.people.block_person import block_person as _block_person
from games.actions.people.mute_person import mute_person as _mute_person
from games.actions.people.unblock_person import unblock_person as _unblock_person
from games.actions.people.unmute_person import unmute_person as _unmute_person
from games.pages.lists.paging import page_number
from games.pages.people.blocking import avoided_people
from games.table.counting import count_person
from games.views.lists import is_elsewhere, way_without


@never_cache
@require_safe
@login_required
def blocked(request: HttpRequest) -> HttpResponse:
    """Show whom the reader has blocked."""
    return _list(request, "blocked")


@never_cache
@require_safe
@login_required
def muted(request: HttpRequest) -> HttpResponse:
    """Show whom the reader has muted."""
    return _list(request, "muted")


def _list(request: HttpRequest, name: str) -> HttpResponse:
    page = avoided_people(person(request), name, page_number(request.GET.get("page", "")))
    if is_elsewhere(request, page.number):
        return way_without(request, "page")
    return render(request, f"games/blocked/{name}.html", {"page": page})


@require_POST
@login_required
def block_person(request: HttpRequest, username: str) -> HttpResponse:
    """Keep the reader and this player apart."""
    other = _block_person(_counted(request), username)
    messages.success(request, _("You have blocked %(name)s.") % {"name": other.shown_name})
    return redirect("player", other.username)


@require_POST
@login_required
def unblock_person(request: HttpRequest, username: str) -> HttpResponse:
    """Unblock this player for the reader; go back to the list if the reader came from there."""
    other = _unblock_person(_counted(request), username)
    messages.success(request, _("%(name)s is not blocked any more.") % {"name": other.shown_name})
    return redirect("blocked") if "listed" in request.POST else redirect("player", other.username)


@require_POST
@login_required
def mute_person(request: HttpRequest, username: str) -> HttpResponse:
    """Show the reader nothing more of what this player writes."""
    other = _mute_person(_counted(request), username)
    messages.success(request, _("You have muted %(name)s.") % {"name": other.shown_name})
    return redirect("player", other.username)


@require_POST
@login_required
def unmute_person(request: HttpRequest, username: str) -> HttpResponse:
    """Show the reader again what this player writes; back to the list for who came from there."""
    other = _unmute_person(_counted(request), username)
    messages.success(request, _("%(name)s is not muted any more.") % {"name": other.shown_name})
    return redirect("muted") if "listed" in request.POST else redirect("player", other.username)


def _counted(request: HttpRequest) -> User:
    user = person(request)
    count_person(user, client(request))
    return user
