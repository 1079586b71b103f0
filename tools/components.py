"""`/components/`: every component of `static/site` in all its states. Only `make dev` serves it."""

from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.template import RequestContext
from django.template.engine import Engine
from django.views.decorators.http import require_safe

TEMPLATE = Path(__file__).with_name("components.html")
TONES = ("good", "bad", "info")
BUTTONS = ("", "button--primary", "button--quiet", "button--danger", "button--pill", "button--wide")
COLOURS = ("blue", "yellow", "red", "green", "purple", "orange")


@require_safe
def components(request: HttpRequest) -> HttpResponse:
    """Show the components, one section a file of `static/site/blocks`."""
    template = Engine.get_default().from_string(TEMPLATE.read_text())
    shown = {"tones": TONES, "buttons": BUTTONS, "colours": COLOURS}
    return HttpResponse(template.render(RequestContext(request, shown)))
