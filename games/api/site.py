"""The API as one object: its endpoints, its errors, its document."""

from collections.abc import Callable
from functools import cache, wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import URLPattern, path, re_path
from django.utils.cache import patch_vary_headers
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from ninja import NinjaAPI
from ninja.operation import Operation
from ninja.parser import Parser

from games.api.door import REQUESTS_A_MINUTE
from games.api.endpoints import router
from games.api.endpoints.answers import FILE_TYPE, FILES, LINES, LINES_TYPE, PUBLIC
from games.api.page import groups_of, things_of
from games.api.problems import CONTENT_TYPE, handle_errors, no_preflight, not_found, wrong_method

ROOT = "api/v1/"
DESCRIPTION = f"""Play Block-You by program: see your games, find what is legal, and play.

Make a token on your account page and send it with every request, as `Authorization: Bearer <token>`. Cookies count for
nothing here. At most {REQUESTS_A_MINUTE} requests a minute; a refused request changes nothing."""


class _Objects(Parser):
    def parse_body(self, request: HttpRequest) -> dict[str, Any]:
        found: object = super().parse_body(request)
        if not isinstance(found, dict):
            # Where nothing is required the framework would take null, or a list, for an object without parts.
            raise TypeError("no object")
        return found


class _Api(NinjaAPI):
    def get_openapi_operation_id(self, operation: Operation) -> str:
        return operation.view_func.__name__


def _built() -> NinjaAPI:
    made = _Api(
        title="Block-You",
        version="1",
        description=DESCRIPTION,
        docs_url=None,
        openapi_url=None,
        urls_namespace="api",
        parser=_Objects(),
    )
    handle_errors(made)
    made.add_router("", router)
    return made


api = _built()


@cache
def document() -> dict[str, Any]:
    """Return the OpenAPI document, which is the same for everybody."""
    found = dict(api.get_openapi_schema(path_prefix=f"/{ROOT}"))
    for methods in found["paths"].values():
        for operation in methods.values():
            _complete(operation)
    return found


def _complete(operation: dict[str, Any]) -> None:
    """Add to an operation of the document what the framework does not know."""
    marks, answers = {PUBLIC, LINES, FILES}.intersection(operation["tags"]), operation["responses"]
    operation["tags"] = [tag for tag in operation["tags"] if tag not in marks]
    if PUBLIC in marks:
        # Without a token too: an empty requirement says so.
        operation["security"] = [{}, *operation["security"]]
    if LINES in marks:
        answers[200]["content"] = {LINES_TYPE: answers[200]["content"]["application/json"]}
    if FILES in marks:
        answers[200]["content"][FILE_TYPE] = {"schema": {"type": "string"}}
    if "requestBody" in operation:
        answers[413] = {**answers[400], "description": "Content Too Large"}
    for status, answer in answers.items():
        if int(status) >= 400:
            answer["content"] = {CONTENT_TYPE: answer["content"]["application/json"]}


@csrf_exempt
@require_safe
def openapi(_request: HttpRequest) -> HttpResponse:
    """Return the OpenAPI document, for programs on other sites too."""
    answer = JsonResponse(document())
    answer["Access-Control-Allow-Origin"] = "*"
    return answer


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Show the document of the API to read."""
    found = {
        "groups": groups_of(document()),
        "things": things_of(document()),
        "limit": REQUESTS_A_MINUTE,
        "site": f"{request.scheme}://{request.get_host()}",
    }
    return render(request, "games/api/page.html", found)


def _served(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Return an endpoint that answers HEAD as GET, and says for whom its answer may be kept."""

    @wraps(view)
    def served(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        is_read = request.method in {"GET", "HEAD"}
        if request.method == "HEAD":
            # Whatever sends the answer leaves out its body.
            request.method = "GET"
        answer = view(request, *args, **kwargs)
        if answer.status_code == 405:
            is_preflight = request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers
            answer = no_preflight(answer["Allow"]) if is_preflight else wrong_method(answer["Allow"])
        patch_vary_headers(answer, ["Authorization", "Accept-Language"])
        is_tagged = answer.status_code in {200, 304} and "ETag" in answer
        answer.setdefault("Cache-Control", "private, no-cache" if is_tagged else "no-store")
        if is_read and "Authorization" not in request.headers:
            # What anybody may see, pages of other sites may show.
            answer["Access-Control-Allow-Origin"] = "*"
        return answer

    return served


def _address(entry: Any) -> URLPattern:
    return path(ROOT + str(entry.pattern), _served(entry.callback), name=entry.name)


urlpatterns = [
    path("api/", page, name="api-page"),
    path(f"{ROOT}openapi.json", openapi, name="api-document"),
    # The last one is ninja's own start page, which this site does not have.
    *(_address(entry) for entry in api.urls[0][:-1]),
    re_path(r"^api/v1/(?P<path>(?s:.*))$", csrf_exempt(not_found), name="api-nowhere"),
]
