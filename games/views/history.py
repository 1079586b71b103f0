"""Finished games, as a page and as files."""

import logging
from collections.abc import AsyncIterator, Callable

from asgiref.sync import sync_to_async
from django.contrib.auth.decorators import login_required
from django.db import close_old_connections
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts import limits
from accounts.doors import person
from accounts.models import User
from games.counting import FILES_AN_HOUR
from games.forms.history import HistoryForm
from games.pages.history.file import MOST, HistoryFile, history_as_csv, history_as_json
from games.pages.history.page import history_page
from games.pages.history.search import Filters
from games.pages.lists.game_pages import place_in

log = logging.getLogger(__name__)


@require_safe
@login_required
def history(request: HttpRequest) -> HttpResponse:
    """Show the person's finished games, filtered as the address says."""
    form = HistoryForm(request.GET)
    page = history_page(person(request), form.filters(), place_in(request.GET))
    context = {"form": form, "history": page, "page": page.games, "query": form.query(), "most": MOST}
    return render(request, "games/history/page.html", context)


@require_safe
@login_required
def history_csv(request: HttpRequest) -> StreamingHttpResponse:
    """Return the games that the page would list as CSV."""
    return _sent(request, history_as_csv)


@require_safe
@login_required
def history_json(request: HttpRequest) -> StreamingHttpResponse:
    """Return the games that the page would list as JSON."""
    return _sent(request, history_as_json)


def _sent(request: HttpRequest, make: Callable[[User, Filters, str], HistoryFile]) -> StreamingHttpResponse:
    user = person(request)
    limits.count_use(f"history-file:{user.pk}", FILES_AN_HOUR, 3600)
    file = make(user, HistoryForm(request.GET).filters(), request.build_absolute_uri("/").rstrip("/"))
    response = StreamingHttpResponse(_parts(file), content_type=file.content_type)
    response["Content-Disposition"] = f'attachment; filename="{file.name}"'
    response["Cache-Control"] = "private, no-store"
    return response


async def _parts(file: HistoryFile) -> AsyncIterator[str]:
    """Yield the parts of a file, each made when the one before has been handed on.

    An asynchronous iterator: of any other Django would make a whole list first. The parts are made in the thread of the
    request, which answers for the errors too: the head of the answer is gone, so that no page can tell of them.
    """
    make_next = sync_to_async(_next_part, thread_sensitive=True)
    try:
        while (part := await make_next(file)) is not None:
            yield part
    except Exception:
        log.exception("A file of finished games broke off.")
        yield file.broken_off


def _next_part(file: HistoryFile) -> str | None:
    """Return the next part of a file, None at its end, and leave no connection behind while it is sent."""
    try:
        return next(file.parts, None)
    finally:
        close_old_connections()
