"""The files that a device needs to install the site as an app."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from games.pages.site.manifest import web_manifest

DAY_SECONDS = 24 * 3600


@require_safe
@cache_control(max_age=DAY_SECONDS)
@vary_on_headers("Accept-Language", "Cookie")
def manifest(request: HttpRequest) -> JsonResponse:
    """Answer with the web app manifest, in the reader's language."""
    return JsonResponse(web_manifest(), content_type="application/manifest+json")


@require_safe
@cache_control(max_age=DAY_SECONDS, public=True)
def favicon(request: HttpRequest) -> HttpResponse:
    """Redirect the icon's old name to the file."""
    return redirect(static("site/icons/favicon.ico"))
