"""A guest who has logged in to an account: whether to bring along what the guest has, and the way back to the guest."""

from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.doors import members_only, person
from accounts.guests import BACKEND, forget_guest, guest_left, way_on
from accounts.limits import count_use
from accounts.signals import tell_sessions_ended
from games.actions.guests.merge_guest import merge_guest as _merge_guest
from games.errors import TooMany, WrongStatus
from games.queries.guests.merging import guest_data

#: How often a person may bring a guest along, or go back to one, in an hour.
MERGES_AN_HOUR = 20


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@members_only
def merge_guest(request: HttpRequest) -> HttpResponse:
    """Ask whether what the guest has is this person's; a POST brings it along, or leaves it with the guest."""
    member, guest, on = person(request), guest_left(request), way_on(request)
    things = guest_data(guest) if guest else None
    if guest is None or things is None or things.is_nothing:
        if request.method == "POST":
            forget_guest(request)
        return HttpResponseRedirect(on)
    context = {"guest": guest, "things": things, "on": on}
    if request.method != "POST":
        return render(request, "games/guests/bring.html", context)
    count_use(f"merge-guest:{member.pk}", MERGES_AN_HOUR, 3600)
    try:
        is_merged = _merge_guest(guest, member)
    except (WrongStatus, TooMany) as refused:
        # The way back stays open.
        page = {**context, "refused": refused.sentence}
        return render(request, "games/guests/bring.html", page, status=WrongStatus.status)
    forget_guest(request)
    if is_merged:
        messages.success(request, _("All that you played as a guest is in your account now."))
    else:
        messages.info(request, _("What this guest had is in an account already."))
    return HttpResponseRedirect(on)


@never_cache
@require_POST
@members_only
def leave_guest(request: HttpRequest) -> HttpResponse:
    """Leave with the guest what the guest has: nothing is asked again."""
    on = way_on(request)
    forget_guest(request)
    return HttpResponseRedirect(on)


@never_cache
@require_POST
@members_only
def back_to_guest(request: HttpRequest) -> HttpResponse:
    """Log the person out of the account, and in as the guest of before."""
    member, guest = person(request), guest_left(request)
    if guest is None:
        messages.error(request, _("There is no guest to go back to in this browser any more."))
        return redirect("my-games")
    count_use(f"merge-guest:{member.pk}", MERGES_AN_HOUR, 3600)
    key = request.session.session_key
    login(request, guest, backend=BACKEND)
    tell_sessions_ended(member.pk, key)
    return redirect("my-games")
