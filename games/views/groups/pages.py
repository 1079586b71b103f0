"""The pages of groups, and what makes, opens and leaves one."""

from dataclasses import replace

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.doors import person
from accounts.forms.own import name_guest
from accounts.guests import ensure_player
from accounts.limits import client
from accounts.models import User
from games.actions.groups.create_group import create_group
from games.actions.groups.join_group import join_group as _join_group
from games.actions.groups.leave_group import leave_group as _leave_group
from games.actions.tables.create_game import create_game
from games.actions.tables.join_game import join_game
from games.base.setup import GameSetup, SeatSetup
from games.errors import BadRequest, GameError, NotSeated
from games.forms.presets import FRIEND, preset_setup
from games.pages.groups.pages import GroupDoor, group_door, group_page, own_groups
from games.pages.lists.paging import page_number
from games.pages.waiting.create import last_choice
from games.queries.site.versions import version_of_group
from games.table.counting import count_group, count_shown, count_table
from games.views.lists import is_elsewhere, way_without
from games.views.waiting.tables import way_to, way_to_table


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def groups(request: HttpRequest) -> HttpResponse:
    """Show the reader's groups; a POST makes another one, or shows again what it was to be called."""
    user, name, refusal = person(request), request.POST.get("name", ""), None
    if request.method == "POST":
        count_group(user, client(request))
        try:
            return redirect("group", create_group(user, name).slug)
        except (BadRequest, NotSeated) as error:
            refusal = error
    found = {"groups": own_groups(user), "name": name, "refusal": refusal}
    return render(request, "games/groups/page.html", found, status=refusal.status if refusal else 200)


@never_cache
@require_safe
@login_required
def group(request: HttpRequest, group: str) -> HttpResponse:
    """Show a group to a member: its tables and games, and how those ended that are over; htmx gets these alone."""
    # Read before the games: what changes in between is then announced, not missed.
    version = version_of_group(group)
    page = group_page(person(request), group, page_number(request.GET.get("page", "")))
    if is_elsewhere(request, page.finished.number):
        return way_without(request, "page")
    template = "games/groups/_games.html" if getattr(request, "htmx", False) else "games/groups/group.html"
    return render(request, template, {"group": page, "head": page.head, "page": page.finished, "version": version})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join_group(request: HttpRequest, invite: str) -> HttpResponse:
    """Show what the link of a group leads to; a POST joins it, as a guest made on the spot if need be.

    With `table` the new member sits down at a table that waits, where there is still one.
    """
    door = group_door(request.user, invite)
    if request.method != "POST":
        if door.is_member:
            return redirect("group", door.slug)
        return render(request, "games/groups/join.html", {"door": door, "invite": invite})
    is_new = not request.user.is_authenticated
    user = ensure_player(request)
    count_group(user, client(request))
    name = request.POST.get("name")
    refused = name_guest(user, name) if name and user.is_guest else ""
    slug = _join_group(user, invite).slug
    asks = is_new and name is None
    if "table" in request.POST and (seated := _sit_down(user, door)):
        return way_to_table(seated, is_new=asks, refused=refused)
    messages.success(request, _("You belong to this group now."))
    return way_to("group", slug, is_new=asks, refused=refused)


def _sit_down(user: User, door: GroupDoor) -> str:
    """Return the slug of the table at which the user sits now, "" if there is no seat any more."""
    try:
        return join_game(user, door.table).slug if door.table else ""
    except GameError:
        return ""


@require_POST
@login_required
def open_group_table(request: HttpRequest, group: str) -> HttpResponse:
    """Open a table for the members of a group, as the reader chose it last, for so many `players`."""
    user = person(request)
    count_table(user)
    count_shown(user, client(request))
    return redirect("game", create_game(user, setup_for_group(request, user), group=group, is_tapped=True).slug)


def setup_for_group(request: HttpRequest, user: User) -> GameSetup:
    """Return the table that a button asks for: for so many `players`, as the user chose it last, with seats for anyone.

    Raises: BadRequest.
    """
    players = request.POST.get("players", "4")
    setup = preset_setup(FRIEND if players == "2" else f"friends-{players}", last_choice(user), "")
    seats = tuple(SeatSetup(kind="open") if seat.kind == "link" else seat for seat in setup.seats)
    return replace(setup, seats=seats)


@require_POST
@login_required
def leave_group(request: HttpRequest, group: str) -> HttpResponse:
    """Leave a group."""
    user = person(request)
    count_group(user, client(request))
    _leave_group(user, group)
    messages.success(request, _("You have left the group."))
    return redirect("groups")
