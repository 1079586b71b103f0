"""What is said at a table: the page of it, its live part, and the form that says something."""

import re
from datetime import date

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe
from django.views.decorators.vary import vary_on_headers

from accounts.doors import person
from accounts.limits import LimitReached, client
from accounts.models import User
from games.actions.talk.read_messages import read_messages
from games.actions.talk.send_message import send_message
from games.errors import GameError, NotFound, TooMany
from games.pages.talk.messages import TalkPage, talk_page
from games.table.counting import count_line
from games.values import Audience

#: What a line is called in an address.
KEY = re.compile("[1-9][0-9]{0,17}")

TOO_FAST = _("That was a lot at once. Wait a few seconds, then send it again.")


@require_http_methods(["GET", "HEAD", "POST"])
@vary_on_headers("HX-Request")
@login_required
def talk(request: HttpRequest, slug: str, audience: Audience = Audience.PLAYERS) -> HttpResponse:
    """Show what is said at a table, or among those who watch; a POST says something, or shows again what was typed."""
    user, is_part = person(request), bool(getattr(request, "htmx", False))
    refusal = None
    if request.method == "POST":
        refusal = _send(request, user, slug, audience)
        if refusal is None and not is_part:
            return redirect(request.path)
    page = _page(request, user, slug, audience)
    typed = request.POST if refusal is not None else {}
    context = {"page": page, "refusal": refusal, "text": typed.get("text", ""), "day": typed.get("day", "")}
    template = "games/talk/_talk.html" if is_part else "games/talk/page.html"
    response = render(request, template, context, status=refusal.status if refusal else 200)
    if isinstance(refusal, TooMany):
        response["Retry-After"] = str(refusal.retry_after)
    return response


@require_safe
@login_required
def talk_lines(request: HttpRequest, slug: str, audience: Audience = Audience.PLAYERS) -> HttpResponse:
    """Return the lines alone, which an open page fetches when it hears of news."""
    return render(request, "games/talk/_lines.html", {"page": _page(request, person(request), slug, audience)})


def _page(request: HttpRequest, user: User, slug: str, audience: Audience) -> TalkPage:
    """Return the page; its last line counts as read with those before it."""
    before = request.GET.get("before", "")
    page = talk_page(user, slug, int(before) if KEY.fullmatch(before) else None, audience=audience)
    if page.unread and request.method != "HEAD" and not page.is_past:
        read_messages(user, slug, last=page.last)
    return page


def _send(request: HttpRequest, user: User, slug: str, audience: Audience) -> GameError | None:
    """Say what was sent; return why not, if not."""
    phrase, text, day = (request.POST.get(name, "") for name in ("phrase", "text", "day"))
    try:
        count_line(user, audience, client(request))
        send_message(user, slug, phrase=phrase, text=text, day=_day(day), audience=audience)
    except LimitReached as reached:
        return TooMany(TOO_FAST, retry_after=reached.retry_after)
    except NotFound:
        raise
    except GameError as refusal:
        return refusal
    return None


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
