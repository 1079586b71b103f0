"""The bare app's page and move. It reads and writes Block-You's own tables."""

import json
from collections.abc import Callable

from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.middleware.csrf import get_token
from django.template import Context, Engine
from django.utils import timezone

from games.models import Game, Move, Player
from games.realtime.publish import send

#: The pages answered, with `{{ token }}` where the token against forgery stands.
pages: dict[str, str] = {}
_compiled = Engine().from_string("{{ text|safe }}<!-- {{ token }} -->")


class Middleware:
    """Say which addresses are the bare app's."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer by the bare app's views."""
        request.urlconf = "benchmarks.bare_site.urls"
        return self.get_response(request)


@login_required
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Answer the static page after five queries."""
    game = Game.objects.select_related("creator").get(slug=slug)
    list(game.players.select_related("user"))
    list(game.moves.all())
    list(Player.objects.filter(user=request.user.pk, game__turn_seat=F("seat")).values_list("game__slug")[:1])
    Game.objects.filter(status="running").exists()
    return answer(request, "page")


@login_required
def place(request: HttpRequest, slug: str) -> HttpResponse:
    """Insert a move under a lock, push, and answer the static fragment, or send on to the page."""
    with transaction.atomic():
        game = Game.objects.select_for_update().get(slug=slug)
        game.version, game.move_count, game.changed_at = game.version + 1, game.move_count + 1, timezone.now()
        game.save(update_fields=["version", "move_count", "changed_at"])
        Move.objects.create(
            game=game,
            number=game.move_count,
            kind="place",
            seat=0,
            placement=request.POST["placement"],
            client_key=request.POST["key"],
            version=game.version,
            played_at=game.changed_at,
        )
        text = json.dumps({"type": "version", "game": slug, "version": game.version})
        transaction.on_commit(lambda: send([(f"game.{slug}", {"type": "nudge", "text": text})]))
    return answer(request, "fragment") if "HX-Request" in request.headers else HttpResponseRedirect("../")


def answer(request: HttpRequest, name: str) -> HttpResponse:
    """Return a static page through a template."""
    return HttpResponse(_compiled.render(Context({"text": pages[name], "token": get_token(request)})))
