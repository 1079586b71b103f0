"""All that is a person's, as one file."""

import logging
from collections.abc import Iterator
from typing import TYPE_CHECKING

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.doors import person
from accounts.limits import count_use
from games.actions.archives.ask_for_archive import ask_for_archive
from games.actions.archives.read_archive import read_archive
from games.base.archives import is_there
from games.errors import TooMany
from games.pages.archives.own_data import file_name, own_data_page
from games.queries.archives.made import archive_of, bytes_of
from games.table.counting import ARCHIVES_AN_HOUR, FILES_AN_HOUR

if TYPE_CHECKING:
    from games.models import Archive

log = logging.getLogger(__name__)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def own_data(request: HttpRequest) -> HttpResponse:
    """Show how far the person's archive is; a POST asks for one."""
    user = person(request)
    if request.method == "POST":
        count_use(f"archive:{user.pk}", ARCHIVES_AN_HOUR, 3600)
        try:
            ask_for_archive(user, language=get_language() or "")
        except TooMany as refusal:
            return _page(request, refusal)
        messages.success(request, _("Your file is being made. You will see here when it is ready."))
        return redirect("own-data")
    read_archive(user)
    return _page(request)


def _page(request: HttpRequest, refusal: TooMany | None = None) -> HttpResponse:
    context = {"page": own_data_page(person(request), timezone.now()), "refusal": refusal}
    answer = render(request, "games/archive/page.html", context, status=refusal.status if refusal else 200)
    if refusal:
        answer["Retry-After"] = str(refusal.retry_after)
    return answer


@require_safe
@login_required
@reauthentication_required
def own_archive(request: HttpRequest) -> HttpResponseBase:
    """Send the person's archive, part by part, to who has given their password within some minutes."""
    user = person(request)
    count_use(f"archive-file:{user.pk}", FILES_AN_HOUR, 3600)
    answer = send_archive(request, archive_of(user.pk))
    read_archive(user)
    return answer


def send_archive(request: HttpRequest, archive: "Archive | None") -> HttpResponseBase:
    """Return the answer that sends an archive, to whom it may be given.

    Raises: Http404 where there is none any more, or not yet.
    """
    if archive is None or archive.made_at is None or not is_there(archive, timezone.now()):
        raise Http404
    content = iter(()) if request.method == "HEAD" else _sent(archive)
    response = StreamingHttpResponse(content, content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{file_name(archive.made_at)}"'
    response["Content-Length"] = str(archive.size)
    response["Cache-Control"] = "private, no-store"
    # It is a zip: the middleware would only take its length away.
    response["Content-Encoding"] = "identity"
    return response


def _sent(archive: "Archive") -> Iterator[bytes]:
    """Yield the parts. Where the file goes meanwhile the answer ends short of its length, which browsers notice."""
    try:
        yield from bytes_of(archive)
    except Exception:
        log.exception("Archive %s broke off.", archive.pk)
