"""Standing seeks: what the reader always wants to play."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.doors import person
from games.actions.seeks.drop_seek import drop_seek as _drop_seek
from games.actions.seeks.set_seek import set_seek as _set_seek
from games.errors import BadRequest, NotSeated, TooMany
from games.pages.people.seeks import may_seek, seeks_page
from games.table.counting import count_seek

#: The pages from whose buttons the way leads back there.
ORIGINS = ("lobby", "my-games")
LONGEST_NUMBER = 4


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def seeks(request: HttpRequest) -> HttpResponse:
    """Show the reader's standing seeks with a form; a POST sets one, or says why not with what was chosen."""
    user = person(request)
    context = {"may_seek": may_seek(user)}
    if request.method != "POST":
        return render(request, "games/seeks/page.html", {**context, "page": seeks_page(user, timezone.now())})
    count_seek(user)
    sent = request.POST
    try:
        _set_seek(
            user,
            variant=sent.get("variant", ""),
            pace=sent.get("pace", ""),
            is_rated=sent.get("rated") == "yes",
            number=_whole(sent.get("number", "")),
            wait=_whole(sent.get("wait", "0")),
            is_change=sent.get("change") == "yes",
        )
    except (BadRequest, NotSeated, TooMany) as refusal:
        page = seeks_page(user, timezone.now(), sent.dict())
        return render(
            request, "games/seeks/page.html", {**context, "page": page, "refusal": refusal}, status=refusal.status
        )
    messages.success(request, _("The site finds games for you from now on. You get a notice when one starts."))
    return _back(request)


@require_POST
@login_required
def drop_seek(request: HttpRequest, seek: int) -> HttpResponse:
    """End a standing seek; the games go on."""
    user = person(request)
    count_seek(user)
    _drop_seek(user, seek)
    messages.success(request, _("The site finds no further games of this kind for you. Those under way go on."))
    return _back(request)


def _whole(sent: str) -> int:
    """Return a number as a form sends it, -1 for anything else."""
    return int(sent) if sent.isascii() and sent.isdigit() and len(sent) <= LONGEST_NUMBER else -1


def _back(request: HttpRequest) -> HttpResponse:
    origin = request.POST.get("from", "")
    return redirect(origin if origin in ORIGINS else "seeks")
