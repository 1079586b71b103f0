"""The service worker, at the root of the site: from there it may answer for every page."""

import json
from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from blockyou.assets import bundles

SCRIPT = "worker/worker.js"


@require_safe
@cache_control(no_cache=True, public=True)
def service_worker(request: HttpRequest) -> HttpResponse:
    """Answer with the script that shows notices and keeps pages for reading without a network."""
    return HttpResponse(_script(), content_type="text/javascript; charset=utf-8")


@cache
def _script() -> str:
    """Return the script with all it imports, and the release: another release is another worker to browsers."""
    return f"self.release = {json.dumps(settings.RELEASE)};\n{bundles.script(_source, SCRIPT)}"


def _source(name: str) -> str:
    found = finders.find(name)
    if not isinstance(found, str):
        raise FileNotFoundError(f"static/{name} is missing.")
    return Path(found).read_text(encoding="utf-8")
