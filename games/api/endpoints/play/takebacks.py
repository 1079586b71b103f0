"""Moves taken back by consent."""

from django.http import HttpRequest

from accounts.doors import person
from games.actions.takebacks.agree_to_takeback import agree_to_takeback as _agree_to_takeback
from games.actions.takebacks.ask_for_takeback import ask_for_takeback as _ask_for_takeback
from games.actions.takebacks.drop_takeback_request import drop_takeback_request as _drop_takeback_request
from games.api import schemas
from games.api.door import PLAYING
from games.api.endpoints.answers import game_now, responses, router
from games.table.counting import count_takeback


@router.post(
    "games/{slug}/takeback/ask",
    auth=PLAYING,
    response=responses(schemas.GameOut, 404, 409),
    url_name="api-takeback-ask",
    tags=["takebacks"],
)
def ask_for_takeback(request: HttpRequest, slug: str, wish: schemas.NewTakebackRequest) -> schemas.GameOut:
    """Take your last placement back, with all moves after it, or ask the others.

    It goes at once where only bots play too, and for ten seconds while no other person has been shown it.
    """
    count_takeback(person(request))
    _ask_for_takeback(person(request), slug, number=wish.number, alone=wish.alone)
    return game_now(request, slug)


@router.post(
    "games/{slug}/takeback/agree",
    auth=PLAYING,
    response=responses(schemas.GameOut, 404, 409),
    url_name="api-takeback-agree",
    tags=["takebacks"],
)
def agree_to_takeback(request: HttpRequest, slug: str, answer: schemas.TakebackAnswer) -> schemas.GameOut:
    """Agree that another player takes a move back; it goes once all have agreed."""
    _agree_to_takeback(person(request), slug, request=answer.request)
    return game_now(request, slug)


@router.post(
    "games/{slug}/takeback/drop",
    auth=PLAYING,
    response=responses(schemas.GameOut, 404, 409),
    url_name="api-takeback-drop",
    tags=["takebacks"],
)
def drop_takeback_request(request: HttpRequest, slug: str, answer: schemas.TakebackAnswer) -> schemas.GameOut:
    """Withdraw your request to take a move back, or decline another player's."""
    _drop_takeback_request(person(request), slug, request=answer.request)
    return game_now(request, slug)
