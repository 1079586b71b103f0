"""A person's own holidays."""

from collections.abc import Iterator
from datetime import date

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.doors import person
from accounts.limits import client
from games.actions.kindness.choose_holidays import choose_holidays as _choose_holidays
from games.actions.kindness.take_holiday import take_holiday as _take_holiday
from games.errors import BadRequest, WrongStatus
from games.pages.people.holidays import holidays_page
from games.table.counting import count_holiday
from games.table.kindness.holidays import read_day


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def holidays(request: HttpRequest) -> HttpResponse:
    """Show what the reader has left; a POST takes a holiday, or says why not with what was typed."""
    user = person(request)
    if request.method == "POST":
        count_holiday(user, client(request))
        try:
            _take_holiday(user, *_days(request))
        except (BadRequest, WrongStatus) as refusal:
            context = {"page": holidays_page(user, timezone.now()), "refusal": refusal, "typed": request.POST}
            return render(request, "games/holidays/page.html", context, status=refusal.status)
        messages.success(request, _("Your clocks stand still in these days."))
        return redirect("holidays")
    return render(request, "games/holidays/page.html", {"page": holidays_page(user, timezone.now())})


@require_POST
@login_required
def choose_holidays(request: HttpRequest) -> HttpResponse:
    """Keep whether days are taken by themselves."""
    user = person(request)
    count_holiday(user, client(request))
    _choose_holidays(user, spends_itself=request.POST.get("spends_itself") == "yes")
    messages.success(request, _("Your choice is saved."))
    return redirect("holidays")


def _days(request: HttpRequest) -> Iterator[date]:
    for name in ("first", "last"):
        yield read_day(request.POST.get(name, ""), name)
