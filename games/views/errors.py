"""The one place where an error of play becomes an HTTP response: its status, and a sentence."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.errors import GameError, TooMany
from games.pages.board.refusal import sentences_of

TITLES: dict[int, str | Promise] = {
    400: _("That did not work"),
    403: _("Not allowed"),
    404: _("Not found"),
    409: _("This page is out of date"),
    422: _("That move is not allowed"),
    429: _("Too many requests"),
}


#: What is asked for too early is not a page that is out of date.
EARLY = {"not-started", "not-over", "not-explained"}

#: Names of addresses where nothing is anyone's alone, so that a login would show no more.
PUBLIC = {"bot", "opening", "player"}

#: Where all of a kind are listed, by the name of the address of one.
LISTS = {"bot": ("bots", _("All bots")), "opening": ("openings", _("All openings"))}


class GameErrorMiddleware(MiddlewareMixin):
    """Turn a `GameError` that a view does not catch into a response."""

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return the error's page, or None for what is no `GameError`."""
        return answer(request, error) if isinstance(error, GameError) else None


def answer(request: HttpRequest, error: GameError, **context: Any) -> HttpResponse:
    """Return the error as a page, or as the fragment `_error.html` where htmx asks."""
    template = "_error.html" if getattr(request, "htmx", False) else "error.html"
    sentence = " ".join(sentences_of(error))
    match = request.resolver_match
    name = str(match.url_name) if match else ""
    list_name, list_title = LISTS.get(name, ("", ""))
    found = {
        "heading": _("Not yet") if error.code in EARLY else TITLES.get(error.status, TITLES[400]),
        "sentence": sentence,
        "error": error,
        "may_be_private": error.status in {403, 404} and name not in PUBLIC,
        "game": match.kwargs.get("slug") if match and error.code in EARLY else None,
        "list_name": list_name,
        "list_title": list_title,
        **context,
    }
    return with_headers(render(request, template, found, status=error.status), error)


def with_headers(response: HttpResponse, error: GameError) -> HttpResponse:
    """Add the headers for programs: the error's code, and for a limit when to try again."""
    response["X-Error-Code"] = error.code
    if isinstance(error, TooMany):
        response["Retry-After"] = str(error.retry_after)
    return response
