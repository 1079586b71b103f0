"""Errors as programs read them: `application/problem+json` (RFC 9457), with the code and the sentence of the site."""

import json
from http import HTTPStatus
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import NinjaAPI, Schema
from ninja.errors import AuthenticationError, HttpError, ValidationError

from accounts.limits import LimitReached
from games.errors import BadRequest, GameError, InvitationRefused, Refused, StaleGame, TooMany
from games.pages.board.refusal import sentences_of

CONTENT_TYPE = "application/problem+json"


class Problem(Schema):
    """What did not work. Nothing has changed.

    `code` is for programs and stays the same; `detail` is a sentence for people, in the language asked for. `field`
    names the part of the request at fault. Where the rules refuse a placement, `reasons` say why and `cells` where, by
    reason. A request for another move than the one that is due is told its `number` and the `version` of the game.
    """

    type: str = "about:blank"
    title: str
    status: int
    code: str
    detail: str
    field: str | None = None
    reasons: list[str] | None = None
    cells: dict[str, list[str]] | None = None
    number: int | None = None
    version: int | None = None


def problem(status: int, code: str, detail: str, **more: Any) -> HttpResponse:
    """Return the answer to a request that failed; `more` are further members."""
    title = HTTPStatus(status).phrase
    body = {"type": "about:blank", "title": title, "status": status, "code": code, "detail": detail, **more}
    answer = HttpResponse(json.dumps(body), status=status, content_type=CONTENT_TYPE)
    answer["X-Error-Code"] = code
    answer["Cache-Control"] = "no-store"
    return answer


def handle_errors(api: NinjaAPI) -> None:
    """Register the handlers that answer every error of play, of access and of form with a problem."""
    api.add_exception_handler(GameError, lambda _request, error: of_game(error))  # type: ignore[arg-type]
    api.add_exception_handler(LimitReached, _too_many)  # type: ignore[arg-type]
    api.add_exception_handler(AuthenticationError, _no_token)  # type: ignore[arg-type]
    api.add_exception_handler(ValidationError, _invalid)  # type: ignore[arg-type]
    api.add_exception_handler(HttpError, _http_error)  # type: ignore[arg-type]
    api.add_exception_handler(Http404, lambda request, _error: not_found(request))


def of_game(error: GameError) -> HttpResponse:
    """Return the answer to an error of play."""
    more: dict[str, Any] = {}
    if isinstance(error, (BadRequest, InvitationRefused)) and error.field:
        more["field"] = error.field
    if isinstance(error, StaleGame):
        more |= {"number": error.number, "version": error.version}
    if isinstance(error, Refused) and error.reasons:
        more["reasons"] = list(error.reasons)
        more["cells"] = {reason: list(names) for reason, names in error.names.items()}
    answer = problem(error.status, error.code, " ".join(sentences_of(error)), **more)
    if isinstance(error, TooMany):
        answer["Retry-After"] = str(error.retry_after)
    return answer


def not_found(_request: HttpRequest, **_parts: str) -> HttpResponse:
    """Answer a request to an address that does not exist."""
    return problem(404, "not-found", _("There is nothing at this address. The API document lists all addresses."))


def wrong_method(allowed: str) -> HttpResponse:
    """Answer a request by a method other than those that the address allows."""
    answer = problem(
        405, "method", _("This address does not accept this method. Use: %(methods)s.") % {"methods": allowed}
    )
    answer["Allow"] = allowed
    return answer


def no_preflight(allowed: str) -> HttpResponse:
    """Answer a browser that asks whether a page of another site may send more than anybody may: it may not."""
    sentence = _(
        "Pages of other sites cannot send a token: everyone who opens such a page could read it. Ask for what is "
        "public without a token, or ask from a program."
    )
    answer = problem(405, "preflight", sentence)
    answer["Allow"] = allowed
    return answer


def _too_many(_request: HttpRequest, error: LimitReached) -> HttpResponse:
    sentence = _("Too many requests. Wait %(seconds)d seconds.") % {"seconds": error.retry_after}
    answer = problem(429, "too-many", sentence)
    answer["Retry-After"] = str(error.retry_after)
    return answer


def _no_token(_request: HttpRequest, error: AuthenticationError) -> HttpResponse:
    answer = problem(401, "token", error.message)
    answer["WWW-Authenticate"] = 'Bearer realm="Block-You"'
    return answer


def _invalid(_request: HttpRequest, error: ValidationError) -> HttpResponse:
    first = error.errors[0]
    # (body, name of the parameter, field …), or (query, …, field).
    path = first["loc"][2:] if first["loc"][0] == "body" else first["loc"][-1:]
    field = ".".join(map(str, path)) or "body"
    sentence = _("The request cannot be used: “%(field)s” %(fault)s.")
    fault = str(first["msg"])
    return problem(400, "bad-request", sentence % {"field": field, "fault": fault[:1].lower() + fault[1:]}, field=field)


def _http_error(_request: HttpRequest, error: HttpError) -> HttpResponse:
    return unreadable(error.status_code)


def unreadable(status: int) -> HttpResponse:
    """Answer a request that cannot be read."""
    return problem(status, "bad-request", _("The request cannot be read. Send a JSON object."))


def too_large() -> HttpResponse:
    """Answer a request whose body is larger than any may be."""
    return problem(413, "too-large", _("This is too large: at most 2.5 MB can be sent at once."))
