"""A person's calendar and feed: their secret address, and what programs find there; the boards in their notices."""

import hashlib

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.doors import person
from accounts.limits import count_use
from accounts.models import User
from accounts.readers import languages
from games.actions.notices.renew_feed import forget_feed, renew_feed
from games.actions.takebacks.mark_shown import show_to
from games.errors import NotFound
from games.notifications.pictured import read_board_path
from games.pages.notices.feeds.atom import atom_of
from games.pages.notices.feeds.board import NO_BOARD, notice_board
from games.pages.notices.feeds.calendar import calendar_of
from games.queries.notices.devices import reader_at
from games.queries.notices.feeds import feed_reader

#: How often a person may change the address in an hour, and how often one may be asked.
FEED_CHANGES_AN_HOUR, READINGS_AN_HOUR = 20, 600


@require_POST
@login_required
def feed(request: HttpRequest) -> HttpResponse:
    """Give the feeds of a person a new address, or take it away."""
    user = person(request)
    count_use(f"feed-change:{user.pk}", FEED_CHANGES_AN_HOUR, 3600)
    if "stop" in request.POST:
        forget_feed(user.pk)
        messages.success(request, _("Your calendar and feed are switched off."))
    else:
        renew_feed(user, language=languages.reading(), now=timezone.now())
        messages.success(request, _("Your calendar and feed have a new address."))
    return redirect(f"{reverse('notice-choices')}#feeds")


@require_safe
def calendar(request: HttpRequest, secret: str) -> HttpResponseBase:
    """Send the calendar of a person's deadlines to a program that knows its address."""
    body = calendar_of(_reader(secret))
    return _answer(request, body, "text/calendar; charset=utf-8")


@require_safe
def atom(request: HttpRequest, secret: str) -> HttpResponseBase:
    """Send the feed of a person's notices to a program that knows its address."""
    body = atom_of(_reader(secret), request.build_absolute_uri())
    return _answer(request, body, "application/atom+xml; charset=utf-8")


@require_safe
def notice_picture(request: HttpRequest, signed: str) -> HttpResponseBase:
    """Send the board of a notice to the device that was told of it, without a login: as its person sees it now."""
    device_id, slug = read_board_path(signed) or (0, "")
    user = reader_at(device_id)
    if user is None:
        raise NotFound(NO_BOARD)
    count_use(f"notice-picture:{user.pk}", READINGS_AN_HOUR, 3600)
    # No cookie says whom the picture is for.
    draw = show_to(lambda: notice_board(user, slug), lambda: user.pk)
    return _answer(request, draw(), "image/png")


def _reader(secret: str) -> User:
    user = feed_reader(secret)
    if user is None:
        raise NotFound(_("There is no feed at this address. It may have been changed."))
    count_use(f"feed:{user.pk}", READINGS_AN_HOUR, 3600)
    return user


def _answer(request: HttpRequest, body: bytes, kind: str) -> HttpResponseBase:
    """Return the body, or 304 where the program has it; kept by no cache but its own, and by no search engine."""
    etag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    response = HttpResponse(body, content_type=kind, headers={"ETag": etag})
    answer = get_conditional_response(request, etag=etag, response=response) or response
    answer.headers["Cache-Control"] = "private, no-cache"
    answer.headers["Referrer-Policy"] = "no-referrer"
    answer.headers["X-Robots-Tag"] = "noindex"
    return answer
