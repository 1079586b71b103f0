"""The members of a group, and what its owner and keepers change."""

from dataclasses import replace

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
from games.actions.groups.delete_group import delete_group as _delete_group
from games.actions.groups.drop_standing_table import drop_standing_table as _drop_standing_table
from games.actions.groups.remove_member import remove_member as _remove_member
from games.actions.groups.rename_group import rename_group as _rename_group
from games.actions.groups.renew_group_link import renew_group_link as _renew_group_link
from games.actions.groups.set_role import set_role as _set_role
from games.actions.groups.set_standing_table import set_standing_table as _set_standing_table
from games.base.setup import SeatSetup
from games.errors import BadRequest
from games.pages.groups.pages import members_page
from games.pages.lists.paging import page_number
from games.table.counting import count_group
from games.views.groups.pages import setup_for_group
from games.views.lists import is_elsewhere, way_without


@never_cache
@require_safe
@login_required
def group_members(request: HttpRequest, group: str) -> HttpResponse:
    """Show the members of a group, and what the reader may change."""
    return _show(request, group)


def _show(request: HttpRequest, group: str, refusal: BadRequest | None = None) -> HttpResponse:
    page = members_page(person(request), group, page_number(request.GET.get("page", "")))
    if is_elsewhere(request, page.members.number):
        return way_without(request, "page")
    found = {"head": page.head, "page": page.members, "refusal": refusal, "name": request.POST.get("name")}
    return render(request, "games/groups/members.html", found, status=refusal.status if refusal else 200)


@require_POST
@login_required
def rename_group(request: HttpRequest, group: str) -> HttpResponse:
    """Give a group another name, or show again what it was to be called."""
    user = _counted(request)
    try:
        _rename_group(user, group, request.POST.get("name", ""))
    except BadRequest as error:
        return _show(request, group, error)
    messages.success(request, _("The group has another name."))
    return redirect("group-members", group)


@require_POST
@login_required
def renew_group_link(request: HttpRequest, group: str) -> HttpResponse:
    """Give a group another link."""
    _renew_group_link(_counted(request), group)
    messages.success(request, _("The group has a new link. The one before leads nowhere."))
    return redirect("group", group)


@require_POST
@login_required
def remove_member(request: HttpRequest, group: str, member: str) -> HttpResponse:
    """Take a member out of a group."""
    _remove_member(_counted(request), group, member)
    messages.success(request, _("The member has been removed. The group has a new link."))
    return redirect("group-members", group)


@require_POST
@login_required
def set_role(request: HttpRequest, group: str, member: str) -> HttpResponse:
    """Say what a member may do in a group."""
    _set_role(_counted(request), group, member, request.POST.get("role", ""))
    messages.success(request, _("Saved."))
    return redirect("group-members", group)


@require_POST
@login_required
def set_standing_table(request: HttpRequest, group: str) -> HttpResponse:
    """Set the standing table of a group, for so many `players`."""
    user = _counted(request)
    setup = setup_for_group(request, user)
    _set_standing_table(user, group, replace(setup, seats=(SeatSetup(kind="open"),) * len(setup.seats)))
    messages.success(request, _("From now on a new table opens whenever its game ends."))
    return redirect("group", group)


@require_POST
@login_required
def drop_standing_table(request: HttpRequest, group: str) -> HttpResponse:
    """Remove the standing table of a group."""
    _drop_standing_table(_counted(request), group)
    messages.success(request, _("No further table opens automatically."))
    return redirect("group", group)


@require_POST
@login_required
def delete_group(request: HttpRequest, group: str) -> HttpResponse:
    """End a group."""
    _delete_group(_counted(request), group)
    messages.success(request, _("The group has ended."))
    return redirect("groups")


def _counted(request: HttpRequest) -> User:
    user = person(request)
    count_group(user, client(request))
    return user
