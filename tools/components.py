"""`/components/`: every component of `static/site` in all its states. Only `make dev` serves it."""

from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.template import RequestContext
from django.template.engine import Engine
from django.views.decorators.http import require_safe

from games.drawing.marks import MARKS
from games.models import Occupant
from games.pages.board.faces import TINTS, bot_face, face, person_face

TEMPLATE = Path(__file__).with_name("components.html")
TONES = ("good", "bad", "info")
BUTTONS = ("", "button--primary", "button--quiet", "button--danger", "button--pill", "button--wide")
FACES = (
    *(person_face("Ann Other", number) for number in range(TINTS)),
    *map(bot_face, MARKS),
    bot_face("another"),
    face(Occupant(invitee="Ann", account=3)),
    face(Occupant()),
)
COLOURS = ("blue", "yellow", "red", "green", "purple", "orange")


@require_safe
def components(request: HttpRequest) -> HttpResponse:
    """Show the components, one section a file of `static/site/blocks`."""
    template = Engine.get_default().from_string(TEMPLATE.read_text())
    shown = {"tones": TONES, "buttons": BUTTONS, "colours": COLOURS, "faces": FACES}
    return HttpResponse(template.render(RequestContext(request, shown)))
