"""What surrounds every request: a body that is read once, an answer whatever fails, and headers Django leaves out."""

import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse

from blockyou import plain
from games.api.site import ROOT

# Addresses that programs watch. They show nothing of people or games.
FOR_MONITORS = frozenset({"/healthz", "/metrics"})
log = logging.getLogger(__name__)


class HeadersMiddleware:
    """Add Permissions-Policy and Cross-Origin-Resource-Policy to every answer, errors and static files included.

    An answer that says that nothing has changed loses what it says of its body.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer with the headers set unless the view chose its own."""
        response = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", plain.PERMISSIONS_POLICY)
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        if response.status_code == HTTPStatus.NOT_MODIFIED:
            # It has no body: what it would say of one is wrong of the one that is kept.
            response.headers.pop("Content-Type", None)
            response.headers.pop("Content-Length", None)
        return response


class AnyHostMiddleware:
    """Accept any host name from monitors: a balancer asks by address, which no visitor's request may come to."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request; what shows no page and no link needs no name of the site."""
        if request.path_info in FOR_MONITORS:
            request.get_host = lambda: settings.PUBLIC_HOST  # type: ignore[method-assign]
        return self.get_response(request)


class ReadOnceMiddleware:
    """Read a form before anything else does, so that one that cannot be read is refused once, with a plain 400.

    Django reads a form lazily and raises at every attempt: CsrfViewMiddleware's attempt fails, and so do those of the
    views that answer 400 and 500, until the exception leaves the application and takes a database connection along.

    It stands outermost. Should anything else get as far, it answers for the site, and Django ends the request as usual.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request, even where the pages that tell of errors fail."""
        try:
            request.POST  # noqa: B018  (reading is what may fail)
        except Exception as error:  # noqa: BLE001  (whatever a codec or a parser makes of foreign bytes)
            request._mark_post_parse_error()  # type: ignore[attr-defined]  # what Django does for some of them
            request.META["blockyou.unreadable"] = error
        try:
            return self.get_response(request)
        except Exception:
            log.exception("A %s request could not even be answered with a page of errors.", request.method)
            return HttpResponse(plain.sentence(500), status=500, headers=plain.headers(500))

    def process_view(self, request: HttpRequest, *_view: Any) -> None:
        """Refuse a form that could not be read and an address with a NUL, before any view and the check of forgery.

        No database that the site runs on finds anything by a NUL, and PostgreSQL takes the question for a fault.

        Raises:
            BadRequest, SuspiciousOperation: Django answers either with 400.
            Http404: the path itself has the NUL, so there is nothing.

        """
        path, query = request.path_info, request.META.get("QUERY_STRING", "")
        if "\0" in path and not path.startswith(f"/{ROOT}"):
            raise Http404
        if "\0" in path or "%00" in query or "\0" in query:
            raise BadRequest("The address holds a NUL.")
        error = request.META.get("blockyou.unreadable")
        if isinstance(error, (BadRequest, SuspiciousOperation)):
            raise error
        if error:
            raise BadRequest("The form could not be read.") from error
