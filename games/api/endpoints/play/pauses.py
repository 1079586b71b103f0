"""Pauses by agreement."""

from django.http import HttpRequest

from accounts.doors import person
from games.actions.pauses.agree_to_pause import agree_to_pause as _agree_to_pause
from games.actions.pauses.ask_for_pause import ask_for_pause as _ask_for_pause
from games.actions.pauses.drop_pause_request import drop_pause_request as _drop_pause_request
from games.actions.pauses.end_pause import end_pause as _end_pause
from games.api import schemas
from games.api.door import PLAYING
from games.api.endpoints.answers import game_now, responses, router
from games.table.counting import count_pause


@router.post(
    "games/{slug}/pause/ask",
    auth=PLAYING,
    response=responses(schemas.GameOut, 404, 409),
    url_name="api-pause-ask",
    tags=["pauses"],
)
def ask_for_pause(request: HttpRequest, slug: str, wish: schemas.Pausing) -> schemas.GameOut:
    """Ask the others for a pause, or agree where one of them has asked; alone with bots it begins at once."""
    count_pause(person(request))
    _ask_for_pause(person(request), slug, pause_version=wish.version)
    return game_now(request, slug)


@router.post(
    "games/{slug}/pause/agree",
    auth=PLAYING,
    response=responses(schemas.GameOut, 404, 409),
    url_name="api-pause-agree",
    tags=["pauses"],
)
def agree_to_pause(request: HttpRequest, slug: str, answer: schemas.PauseAnswer) -> schemas.GameOut:
    """Agree to the pause that another player wants; it begins when all have agreed."""
    _agree_to_pause(person(request), slug, request=answer.request)
    return game_now(request, slug)


@router.post(
    "games/{slug}/pause/drop",
    auth=PLAYING,
    response=responses(schemas.GameOut, 404, 409),
    url_name="api-pause-drop",
    tags=["pauses"],
)
def drop_pause_request(request: HttpRequest, slug: str, answer: schemas.PauseAnswer) -> schemas.GameOut:
    """Withdraw your request for a pause, or decline another player's."""
    _drop_pause_request(person(request), slug, request=answer.request)
    return game_now(request, slug)


@router.post(
    "games/{slug}/pause/end",
    auth=PLAYING,
    response=responses(schemas.GameOut, 404, 409),
    url_name="api-pause-end",
    tags=["pauses"],
)
def end_pause(request: HttpRequest, slug: str, wish: schemas.Pausing) -> schemas.GameOut:
    """End the pause: clocks have as much time then as they had when it began."""
    _end_pause(person(request), slug, pause_version=wish.version)
    return game_now(request, slug)
