"""What a device asks of a site before it puts it among its apps."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from games.queries.manifest import manifest as manifest_of_the_site

DAY = 24 * 3600


@require_safe
@cache_control(max_age=DAY)
@vary_on_headers("Accept-Language", "Cookie")
def manifest(request: HttpRequest) -> JsonResponse:
    """Answer with the web app manifest, in the reader's language."""
    return JsonResponse(manifest_of_the_site(), content_type="application/manifest+json")


@require_safe
@cache_control(max_age=DAY, public=True)
def favicon(request: HttpRequest) -> HttpResponse:
    """Send whoever asks for the icon by its old name to the file."""
    return redirect(static("site/icons/favicon.ico"))
