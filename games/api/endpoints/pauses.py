"""Pauses by agreement."""

from django.http import HttpRequest

from accounts import limits
from accounts.doors import person
from games.actions.pauses.agree_pause import agree_pause
from games.actions.pauses.ask_pause import ask_pause
from games.actions.pauses.drop_pause import drop_pause
from games.actions.pauses.end_pause import end_pause
from games.api import schemas
from games.api.door import PLAYING
from games.api.endpoints.answers import game_now, responses, router
from games.counting import PAUSES_AN_HOUR


@router.post(
    "games/{slug}/pause/ask",
    auth=PLAYING,
    response=responses(schemas.GameOut, 404, 409),
    url_name="api-pause-ask",
    tags=["pauses"],
)
def request_pause(request: HttpRequest, slug: str, wish: schemas.Pausing) -> schemas.GameOut:
    """Ask the others for a pause, or agree where one of them has asked; alone with bots it begins at once."""
    limits.count_use(f"pause:{person(request).pk}", PAUSES_AN_HOUR, 3600)
    ask_pause(person(request), slug, pause_version=wish.version)
    return game_now(request, slug)


@router.post(
    "games/{slug}/pause/agree",
    auth=PLAYING,
    response=responses(schemas.GameOut, 404, 409),
    url_name="api-pause-agree",
    tags=["pauses"],
)
def accept_pause(request: HttpRequest, slug: str, answer: schemas.PauseAnswer) -> schemas.GameOut:
    """Agree to the pause that another player wants; it begins when all have agreed."""
    agree_pause(person(request), slug, request=answer.request)
    return game_now(request, slug)


@router.post(
    "games/{slug}/pause/drop",
    auth=PLAYING,
    response=responses(schemas.GameOut, 404, 409),
    url_name="api-pause-drop",
    tags=["pauses"],
)
def refuse_pause(request: HttpRequest, slug: str, answer: schemas.PauseAnswer) -> schemas.GameOut:
    """Withdraw your request for a pause, or decline another player's."""
    drop_pause(person(request), slug, request=answer.request)
    return game_now(request, slug)


@router.post(
    "games/{slug}/pause/end",
    auth=PLAYING,
    response=responses(schemas.GameOut, 404, 409),
    url_name="api-pause-end",
    tags=["pauses"],
)
def let_go_on(request: HttpRequest, slug: str, wish: schemas.Pausing) -> schemas.GameOut:
    """End the pause: clocks have as much time then as they had when it began."""
    end_pause(person(request), slug, pause_version=wish.version)
    return game_now(request, slug)
