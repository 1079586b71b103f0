"""Finished games, as a page and as files."""

import logging
import re
from collections.abc import Callable, Iterator

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.formats import number_format
from django.utils.text import compress_sequence
from django.views.decorators.http import require_safe

from accounts import limits
from accounts.doors import person
from accounts.models import User
from games.forms.history import HistoryForm
from games.pages.history.file import MOST_EXPORTED, HistoryFile, history_as_csv, history_as_json
from games.pages.history.page import history_page
from games.pages.lists.game_pages import cursor_in
from games.queries.lists.search import Filters
from games.table.counting import FILES_AN_HOUR

log = logging.getLogger(__name__)


@require_safe
@login_required
def history(request: HttpRequest) -> HttpResponse:
    """Show the person's finished games, filtered as the address says."""
    form = HistoryForm(request.GET)
    page = history_page(person(request), form.filters(), cursor_in(request.GET))
    most = number_format(MOST_EXPORTED, force_grouping=True)
    context = {"form": form, "history": page, "page": page.games, "query": form.query(), "most": most}
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
    parts: Iterator[bytes] = map(str.encode, _parts(file))
    is_zipped = bool(re.search(r"\bgzip\b", request.headers.get("Accept-Encoding", "")))
    if is_zipped:
        # Here: the middleware makes a file of its own of each part, and not every browser reads on after the first.
        parts = compress_sequence(parts)
    response = StreamingHttpResponse(parts, content_type=file.content_type)
    response["Content-Disposition"] = f'attachment; filename="{file.name}"'
    response["Cache-Control"] = "private, no-store"
    if is_zipped:
        response["Content-Encoding"] = "gzip"
    patch_vary_headers(response, ["Accept-Encoding"])
    return response


def _parts(file: HistoryFile) -> Iterator[str]:
    """Yield the parts of a file. The head of the answer is gone by then: no page can tell of an error."""
    try:
        yield from file.parts
    except Exception:
        log.exception("A file of finished games broke off.")
        yield file.broken_off
